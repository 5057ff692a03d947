//! From IR to register code.

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp, FloatBinaryOp, OverflowOp, UnaryOp};
use glassbox_ir::{
    Block, BlockId, Body, BranchOrigin, Check, FuncId, Instr, InstrKind, MemoryOp, Operand,
    PointerOp, PointerSize, Program, PureOp, Span, SwitchCase, Target, Terminator, Ty, ValueId,
};
use glassbox_values::{Format, Signedness};
use rustc_hash::FxHashMap;

use crate::code::{Code, Edge, EdgeCondition, Op, Reg, SwitchTable};
use crate::nearness::{Comparison, Watch, WatchKind, comparison_behind};

/// Constants below it may be added to a pointer without a look at its object.
const SMALL_OFFSET: u128 = 1 << 24;

/// What constants that are addresses stand for.
pub trait StaticAddresses {
    fn address(&self, operand: Operand) -> u64;

    /// Whether some objects have numbers of their own as addresses, so that pointers and numbers are not the same.
    fn has_registers(&self) -> bool;
}

/// Whether edges report themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeReports {
    On,
    Off,
}

/// Whether branches record how near they are to each edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watching {
    On,
    Off,
}

/// Compiles a function that has a body.
pub fn compile(
    program: &Program,
    function: FuncId,
    addresses: &dyn StaticAddresses,
    edge_reports: EdgeReports,
    watching: Watching,
) -> Code {
    let body = program.body(function);
    let mut value_regs = Vec::with_capacity(body.values.len());
    let mut next = 0;
    for &ty in &body.values {
        value_regs.push(next);
        next += if is_wide(ty) { 2 } else { 1 };
    }
    let mut compiler = Compiler {
        body,
        pointers: program.pointers,
        addresses,
        edge_reports,
        watching,
        code: Code {
            function,
            ops: Vec::new(),
            spans: Vec::new(),
            n_regs: 0,
            value_regs,
            value_types: body.values.clone(),
            constants: Vec::new(),
            params: body.blocks[Body::ENTRY].params.clone(),
            instrs: Vec::new(),
            edges: Vec::new(),
            switches: Vec::new(),
            watches: Vec::new(),
            n_blocks: body.blocks.len(),
            n_locals: body.locals.len(),
        },
        constant_regs: FxHashMap::default(),
        next_reg: next,
        scratch: 0,
        block_pcs: vec![u32::MAX; body.blocks.len()],
        patches: Vec::new(),
        span: Span::nowhere(),
    };
    compiler.scratch = compiler.new_reg();
    compiler.new_reg();
    compiler.run();
    compiler.code
}

pub fn is_wide(ty: Ty) -> bool {
    matches!(ty, Ty::Int(width) if width > 64)
}

struct Compiler<'a> {
    pointers: PointerSize,
    body: &'a Body,
    addresses: &'a dyn StaticAddresses,
    edge_reports: EdgeReports,
    watching: Watching,
    code: Code,
    constant_regs: FxHashMap<u64, Reg>,
    next_reg: Reg,
    // Two registers wide.
    scratch: Reg,
    block_pcs: Vec<u32>,
    // Jumps to blocks whose place is not known yet: (op, block).
    patches: Vec<(usize, BlockId)>,
    span: Span,
}

impl Compiler<'_> {
    fn run(&mut self) {
        for id in self.body.block_ids() {
            self.block_pcs[id.index()] = self.here();
            self.block(id, self.body.block(id));
        }
        for (op, block) in std::mem::take(&mut self.patches) {
            let target = self.block_pcs[block.index()];
            if let Op::Jump { pc } = &mut self.code.ops[op] {
                *pc = target;
            }
        }
        self.code.n_regs = self.next_reg as usize;
    }

    fn here(&self) -> u32 {
        u32::try_from(self.code.ops.len()).expect("fewer than 2^32 operations")
    }

    fn new_reg(&mut self) -> Reg {
        self.next_reg += 1;
        self.next_reg - 1
    }

    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.spans.push(self.span);
    }

    fn block(&mut self, id: BlockId, block: &Block) {
        let n_steps = u32::try_from(block.instrs.len() + 1).unwrap_or(u32::MAX);
        self.span = block.instrs.first().map_or(block.terminator_span, |instr| instr.span);
        self.emit(Op::Enter { block: u32::try_from(id.index()).unwrap_or(u32::MAX), n_steps });
        for (position, instr) in block.instrs.iter().enumerate() {
            self.span = instr.span;
            if !is_implied_by_next(instr, block.instrs.get(position + 1), self.pointers) {
                self.instr(instr);
            }
        }
        self.span = block.terminator_span;
        self.terminator(id, &block.terminator);
    }

    fn value_reg(&self, value: ValueId) -> Reg {
        self.code.value_regs[value.index()]
    }

    /// The register of a narrow operand.
    fn reg(&mut self, operand: Operand) -> Reg {
        let word = match operand {
            Operand::Value(value) => return self.value_reg(value),
            Operand::Int(bits) => bits.unsigned() as u64,
            Operand::Float(float) => float.to_bits(),
            Operand::NullPtr => 0,
            Operand::Global(_) | Operand::Func(_) => self.addresses.address(operand),
        };
        self.constant_reg(word)
    }

    fn constant_reg(&mut self, word: u64) -> Reg {
        if let Some(&reg) = self.constant_regs.get(&word) {
            return reg;
        }
        let reg = self.new_reg();
        self.constant_regs.insert(word, reg);
        self.code.constants.push((reg, word));
        reg
    }

    fn ty(&self, operand: Operand) -> Ty {
        operand.ty(self.body)
    }

    fn instr(&mut self, instr: &Instr) {
        match self.fast(instr) {
            Some(op) => self.emit(op),
            None => self.slow(instr),
        }
    }

    fn slow(&mut self, instr: &Instr) {
        if matches!(instr.kind, InstrKind::Mark(_)) {
            return;
        }
        let index = self.keep(instr);
        let is_call = matches!(instr.kind, InstrKind::Call(_));
        self.emit(if is_call { Op::Call { instr: index } } else { Op::Slow { instr: index } });
    }

    fn keep(&mut self, instr: &Instr) -> u32 {
        self.code.instrs.push(instr.clone());
        u32::try_from(self.code.instrs.len() - 1).expect("fewer than 2^32 instructions")
    }

    /// One operation for the common cases on words of up to 64 bits.
    fn fast(&mut self, instr: &Instr) -> Option<Op> {
        match &instr.kind {
            InstrKind::Pure(op) => {
                let dst = self.value_reg(instr.result?);
                self.fast_pure(op, dst)
            }
            InstrKind::Pointer(op) => {
                let dst = self.value_reg(instr.result?);
                self.fast_pointer(op, dst)
            }
            InstrKind::Memory(op) => self.fast_memory(op, instr.result),
            InstrKind::Check(Check::Condition { condition, .. }) => {
                let reg = self.reg(*condition);
                Some(Op::CheckTrue { reg, instr: self.keep(instr) })
            }
            InstrKind::Check(_)
            | InstrKind::VarArgs(_)
            | InstrKind::Call(_)
            | InstrKind::Assume { .. }
            | InstrKind::Mark(_)
            | InstrKind::Unsupported { .. } => None,
        }
    }

    fn fast_memory(&mut self, op: &MemoryOp, result: Option<ValueId>) -> Option<Op> {
        Some(match *op {
            MemoryOp::LocalStart(local) => Op::LocalStart { local: local.index() as u32 },
            MemoryOp::LocalEnd(local) => Op::LocalEnd { local: local.index() as u32 },
            MemoryOp::Load { ty, ptr, .. } => {
                let dst = self.value_reg(result?);
                Op::Load { size: memory_size(ty, self.pointers)?, dst, ptr: self.reg(ptr) }
            }
            MemoryOp::Store { ptr, value, .. } => {
                let size = memory_size(self.ty(value), self.pointers)?;
                Op::Store { size, ptr: self.reg(ptr), src: self.reg(value) }
            }
            MemoryOp::StackAlloc { .. }
            | MemoryOp::StackFree { .. }
            | MemoryOp::HeapAlloc { .. }
            | MemoryOp::HeapFree { .. }
            | MemoryOp::LoadBits { .. }
            | MemoryOp::StoreBits { .. }
            | MemoryOp::Copy { .. }
            | MemoryOp::Fill { .. } => return None,
        })
    }

    fn fast_pointer(&mut self, op: &PointerOp, dst: Reg) -> Option<Op> {
        Some(match *op {
            PointerOp::LocalAddr(local) => Op::LocalAddr { dst, local: local.index() as u32 },
            PointerOp::Add { base, offset } => {
                let (a, b) = (self.reg(base), self.reg(offset));
                // Members and constant elements do not lead out of an object's space.
                let is_small =
                    matches!(offset, Operand::Int(bytes) if bytes.unsigned() < SMALL_OFFSET);
                if is_small { Op::Add { shift: 0, dst, a, b } } else { Op::Offset { dst, a, b } }
            }
            PointerOp::Diff { lhs, rhs } => {
                Op::Sub { shift: 0, dst, a: self.reg(lhs), b: self.reg(rhs) }
            }
            PointerOp::Compare { .. } if self.addresses.has_registers() => return None,
            PointerOp::Compare { op, lhs, rhs } => return self.fast_compare(op, lhs, rhs, dst),
            PointerOp::ObjectSize { .. }
            | PointerOp::ObjectOffset { .. }
            | PointerOp::IsWhole { .. } => return None,
        })
    }

    fn fast_compare(&mut self, op: CompareOp, lhs: Operand, rhs: Operand, dst: Reg) -> Option<Op> {
        let shift = narrow_shift(self.ty(lhs))?;
        let (a, b) = (self.reg(lhs), self.reg(rhs));
        Some(match op {
            CompareOp::Eq => Op::Eq { dst, a, b },
            CompareOp::Ne => Op::Ne { dst, a, b },
            CompareOp::Ult => Op::Ult { dst, a, b },
            CompareOp::Ule => Op::Ule { dst, a, b },
            CompareOp::Slt => Op::Slt { shift, dst, a, b },
            CompareOp::Sle => Op::Sle { shift, dst, a, b },
        })
    }

    fn fast_pure(&mut self, op: &PureOp, dst: Reg) -> Option<Op> {
        Some(match *op {
            PureOp::Binary { op, lhs, rhs } => {
                let shift = narrow_shift(self.ty(lhs))?;
                let (a, b) = (self.reg(lhs), self.reg(rhs));
                match op {
                    BinaryOp::Add => Op::Add { shift, dst, a, b },
                    BinaryOp::Sub => Op::Sub { shift, dst, a, b },
                    BinaryOp::Mul => Op::Mul { shift, dst, a, b },
                    BinaryOp::And => Op::And { dst, a, b },
                    BinaryOp::Or => Op::Or { dst, a, b },
                    BinaryOp::Xor => Op::Xor { dst, a, b },
                    BinaryOp::Shl => Op::Shl { shift, dst, a, b },
                    BinaryOp::Lshr => Op::Lshr { shift, dst, a, b },
                    BinaryOp::Ashr => Op::Ashr { shift, dst, a, b },
                    BinaryOp::Udiv | BinaryOp::Urem | BinaryOp::Sdiv | BinaryOp::Srem => {
                        return None;
                    }
                }
            }
            PureOp::Unary { op: UnaryOp::Not, arg } => {
                let shift = narrow_shift(self.ty(arg))?;
                Op::Not { shift, dst, a: self.reg(arg) }
            }
            PureOp::Compare { op, lhs, rhs } => return self.fast_compare(op, lhs, rhs, dst),
            PureOp::Overflows { op, signedness: Signedness::Signed, lhs, rhs } => {
                let shift = narrow_shift(self.ty(lhs))?;
                let (a, b) = (self.reg(lhs), self.reg(rhs));
                match op {
                    OverflowOp::Add => Op::AddOverflowsSigned { shift, dst, a, b },
                    OverflowOp::Sub => Op::SubOverflowsSigned { shift, dst, a, b },
                    OverflowOp::Mul => Op::MulOverflowsSigned { shift, dst, a, b },
                }
            }
            PureOp::Select { condition, if_true, if_false } => {
                narrow_shift(self.ty(if_true))?;
                let condition = self.reg(condition);
                Op::Select { dst, condition, a: self.reg(if_true), b: self.reg(if_false) }
            }
            PureOp::Cast { op, arg, to } => {
                let (from, to) = (narrow_shift(self.ty(arg))?, narrow_shift(to)?);
                let a = self.reg(arg);
                match op {
                    CastOp::Truncate => Op::Truncate { shift: to, dst, a },
                    CastOp::PtrToInt | CastOp::IntToPtr if self.addresses.has_registers() => {
                        return None;
                    }
                    CastOp::ZeroExtend
                    | CastOp::PtrToInt
                    | CastOp::IntToPtr
                    | CastOp::Reinterpret => Op::Move { dst, src: a },
                    CastOp::SignExtend => Op::SignExtend { from, to, dst, a },
                    CastOp::IntToFloat(_)
                    | CastOp::FloatToInt(_)
                    | CastOp::FloatToIntSaturating
                    | CastOp::FloatToFloat => return None,
                }
            }
            PureOp::FloatBinary { op, lhs, rhs } if self.ty(lhs) == Ty::Float(Format::F64) => {
                let (a, b) = (self.reg(lhs), self.reg(rhs));
                match op {
                    FloatBinaryOp::Add => Op::AddF64 { dst, a, b },
                    FloatBinaryOp::Sub => Op::SubF64 { dst, a, b },
                    FloatBinaryOp::Mul => Op::MulF64 { dst, a, b },
                    FloatBinaryOp::Div => Op::DivF64 { dst, a, b },
                    FloatBinaryOp::Fmod
                    | FloatBinaryOp::Remainder
                    | FloatBinaryOp::Fmin
                    | FloatBinaryOp::Fmax
                    | FloatBinaryOp::JavaMin
                    | FloatBinaryOp::JavaMax
                    | FloatBinaryOp::CopySign => return None,
                }
            }
            PureOp::Unary { .. }
            | PureOp::Overflows { .. }
            | PureOp::FloatUnary { .. }
            | PureOp::FloatBinary { .. }
            | PureOp::FloatFma { .. }
            | PureOp::FloatCompare { .. }
            | PureOp::FloatClassify { .. } => return None,
        })
    }

    fn terminator(&mut self, id: BlockId, terminator: &Terminator) {
        match terminator {
            Terminator::Jump(target) => self.edge(id, 0, None, target),
            Terminator::Branch { condition, if_true, if_false, origin } => {
                self.watch_branch(id, *condition);
                let condition = self.reg(*condition);
                let branch = self.code.ops.len();
                self.emit(Op::Branch { condition, if_true: 0, if_false: 0 });
                let on_true = self.here();
                self.edge(id, 0, origin.map(|origin| edge_condition(origin, true)), if_true);
                let on_false = self.here();
                self.edge(id, 1, origin.map(|origin| edge_condition(origin, false)), if_false);
                self.code.ops[branch] =
                    Op::Branch { condition, if_true: on_true, if_false: on_false };
            }
            Terminator::Switch { value, cases, default } => {
                let is_wide = is_wide(self.ty(*value));
                let reg = self.reg(*value);
                if !is_wide {
                    self.watch_switch(id, reg, cases);
                }
                let index = self.code.switches.len();
                self.code.switches.push(SwitchTable { ranges: Vec::new(), default: 0, is_wide });
                self.emit(Op::Switch { index: index as u32, value: reg });
                let mut ranges = Vec::new();
                for (position, case) in (0u32..).zip(cases) {
                    let pc = self.here();
                    self.edge(id, position, None, &case.target);
                    let (low, high) = (case.low.unsigned(), case.high.unsigned());
                    if low <= high {
                        ranges.push((low, high, pc));
                    } else {
                        // A signed range across zero wraps around as an unsigned one.
                        ranges.push((low, glassbox_values::bits::mask(case.low.width()), pc));
                        ranges.push((0, high, pc));
                    }
                }
                ranges.sort_unstable();
                let pc = self.here();
                self.edge(id, cases.len() as u32, None, default);
                self.code.switches[index] = SwitchTable { ranges, default: pc, is_wide };
            }
            Terminator::Return(None) => self.emit(Op::ReturnVoid),
            Terminator::Return(Some(operand)) => {
                let is_wide = is_wide(self.ty(*operand));
                let src = if is_wide { self.wide_reg(*operand) } else { self.reg(*operand) };
                self.emit(Op::Return { src, is_wide });
            }
            Terminator::Unreachable => self.emit(Op::Unreachable),
        }
    }

    fn watch(&mut self, block: BlockId, kind: WatchKind, is_negated: bool) {
        let watch = u32::try_from(self.code.watches.len()).expect("fewer than 2^32 branches");
        self.code.watches.push(Watch { block, kind, is_negated });
        self.emit(Op::Watch { watch });
    }

    fn watch_branch(&mut self, block: BlockId, condition: Operand) {
        if self.watching == Watching::Off {
            return;
        }
        let (comparison, is_negated) = comparison_behind(self.body, condition);
        let is_narrow = |compiler: &Self, operand| narrow_shift(compiler.ty(operand));
        let kind = match comparison {
            Comparison::Int { op, lhs, rhs } => is_narrow(self, lhs).map(|shift| {
                let (a, b) = (self.reg(lhs), self.reg(rhs));
                WatchKind::Int { op, a, b, shift }
            }),
            Comparison::Float { op, lhs, rhs } => match self.ty(lhs) {
                Ty::Float(format) => {
                    let (a, b) = (self.reg(lhs), self.reg(rhs));
                    Some(WatchKind::Float { op, a, b, format })
                }
                Ty::Int(_) | Ty::Ptr => None,
            },
            Comparison::None => None,
        };
        match kind {
            Some(kind) => self.watch(block, kind, is_negated),
            None => {
                let reg = self.reg(condition);
                self.watch(block, WatchKind::Truth { reg }, false);
            }
        }
    }

    fn watch_switch(&mut self, block: BlockId, value: Reg, cases: &[SwitchCase]) {
        if self.watching == Watching::Off {
            return;
        }
        let default = u32::try_from(cases.len()).unwrap_or(u32::MAX);
        // A range across zero wraps around as an unsigned one: it is left out.
        let ranges = (0u32..).zip(cases).map(|(edge, case)| {
            let (low, high) = (case.low.unsigned(), case.high.unsigned());
            (low, high, edge)
        });
        let ranges = ranges.filter(|(low, high, _)| low <= high).collect();
        self.watch(block, WatchKind::Switch { value, ranges, default }, false);
    }

    /// The first of two registers that hold a wide operand.
    fn wide_reg(&mut self, operand: Operand) -> Reg {
        match operand {
            Operand::Value(value) => self.value_reg(value),
            Operand::Int(bits) => {
                let low = self.new_reg();
                let high = self.new_reg();
                self.code.constants.push((low, bits.unsigned() as u64));
                self.code.constants.push((high, (bits.unsigned() >> 64) as u64));
                low
            }
            Operand::Float(_) | Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => {
                self.reg(operand)
            }
        }
    }

    /// Passes the arguments and goes to the target.
    fn edge(
        &mut self,
        block: BlockId,
        position: u32,
        condition: Option<EdgeCondition>,
        target: &Target,
    ) {
        if self.edge_reports == EdgeReports::On {
            let edge = self.code.edges.len() as u32;
            self.code.edges.push(Edge { block, position, condition });
            self.emit(Op::Edge { edge });
        }
        let params = &self.body.block(target.block).params;
        let mut moves = Vec::new();
        for (&param, &arg) in params.iter().zip(&target.args) {
            let dst = self.value_reg(param);
            if is_wide(self.body.value_ty(param)) {
                let src = self.wide_reg(arg);
                moves.push((dst, src));
                moves.push((dst + 1, src + 1));
            } else {
                moves.push((dst, self.reg(arg)));
            }
        }
        self.parallel_moves(moves);
        let known = self.block_pcs[target.block.index()];
        if known == u32::MAX {
            self.patches.push((self.code.ops.len(), target.block));
        }
        self.emit(Op::Jump { pc: known });
    }

    /// All moves at once: a source that another move overwrites is read first.
    fn parallel_moves(&mut self, mut moves: Vec<(Reg, Reg)>) {
        moves.retain(|(dst, src)| dst != src);
        while !moves.is_empty() {
            let free = moves.iter().position(|(dst, _)| moves.iter().all(|(_, src)| src != dst));
            if let Some(index) = free {
                let (dst, src) = moves.remove(index);
                self.emit(Op::Move { dst, src });
            } else {
                // Only cycles are left: open one through the scratch register.
                let (dst, _) = moves[0];
                let scratch = self.scratch;
                self.emit(Op::Move { dst: scratch, src: dst });
                for (_, src) in &mut moves {
                    if *src == dst {
                        *src = scratch;
                    }
                }
            }
        }
    }
}

fn edge_condition(origin: BranchOrigin, is_true_edge: bool) -> EdgeCondition {
    EdgeCondition {
        decision: origin.decision,
        condition: origin.condition,
        value: is_true_edge == origin.is_positive,
        outcome: if is_true_edge { origin.outcome_if_true } else { origin.outcome_if_false },
    }
}

/// 64 minus the width; `None` for what does not fit one register.
fn narrow_shift(ty: Ty) -> Option<u8> {
    match ty {
        Ty::Int(width) if width <= 64 => Some(64 - width),
        Ty::Int(_) => None,
        Ty::Float(format) => Some(64 - format.width()),
        Ty::Ptr => Some(0),
    }
}

/// Bytes in memory, for types that loads and stores handle as one word.
fn memory_size(ty: Ty, pointers: PointerSize) -> Option<u8> {
    match ty {
        Ty::Int(8 | 16 | 32 | 64) | Ty::Float(_) | Ty::Ptr => u8::try_from(ty.size(pointers)).ok(),
        Ty::Int(_) => None,
    }
}

/// An access check is the access itself when that comes next: it fails in the same way.
fn is_implied_by_next(instr: &Instr, next: Option<&Instr>, pointers: PointerSize) -> bool {
    let (InstrKind::Check(check), Some(next)) = (&instr.kind, next) else { return false };
    match (check, &next.kind) {
        (
            Check::Readable { ptr, size: Operand::Int(size) },
            InstrKind::Memory(MemoryOp::Load { ty, ptr: at, .. }),
        ) => ptr == at && size.unsigned() == u128::from(ty.size(pointers)),
        (Check::Readable { ptr, .. }, InstrKind::Memory(MemoryOp::LoadBits { ptr: at, .. }))
        | (Check::Writable { ptr, .. }, InstrKind::Memory(MemoryOp::StoreBits { ptr: at, .. })) => {
            ptr == at
        }
        (
            Check::Writable { ptr, size: Operand::Int(_) },
            InstrKind::Memory(MemoryOp::Store { ptr: at, .. }),
        ) => ptr == at,
        _ => false,
    }
}
