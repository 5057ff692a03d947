//! The interpreter's loop, and the instructions that touch memory or control.

use std::rc::Rc;

use glassbox_ir::{CheckKind, FuncId, Span, Ty};

use crate::code::{Code, Edge, Op, SwitchTable};
use crate::coverage::{Evaluation, Event};
use crate::machine::Machine;
use crate::outcome::Outcome;

/// Why the loop stops, boxed: it is rare and large.
pub(crate) type Stop = Box<Outcome>;

fn sign_extend(word: u64, shift: u8) -> i64 {
    (word << shift).cast_signed() >> shift
}

fn cut(word: u64, shift: u8) -> u64 {
    (word << shift) >> shift
}

fn float(word: u64) -> f64 {
    f64::from_bits(word)
}

impl Machine<'_> {
    pub(crate) fn run_loop(&mut self, function: FuncId, args: &[u128]) -> Outcome {
        let depth = self.frames.len();
        let declared = self.program.function(function);
        let n_fixed = if declared.is_variadic { declared.params.len() } else { args.len() };
        let (args, more) = args.split_at(n_fixed.min(args.len()));
        // A test passes nothing by them that is wider than a word.
        let more: Vec<(u128, Ty)> = more.iter().map(|&word| (word, Ty::Int(64))).collect();
        let result = self
            .push_frame(function, args, &more, None, Span::nowhere())
            .and_then(|()| self.steps_until(depth));
        match result {
            Ok(value) => Outcome::Returned(Some(value)),
            Err(stop) => *stop,
        }
    }

    /// Runs until the stack is back at `depth`; the value that the last function returned.
    #[expect(clippy::too_many_lines, reason = "one arm per operation, most of one line")]
    fn steps_until(&mut self, depth: usize) -> Result<u128, Stop> {
        'frame: loop {
            let frame = self.frames.last().expect("a function runs");
            let code = Rc::clone(&frame.code);
            let base = frame.base;
            let mut pc = frame.pc;
            macro_rules! get {
                ($reg:expr) => {
                    self.registers[base + $reg as usize]
                };
            }
            macro_rules! set {
                ($dst:expr, $value:expr) => {
                    self.registers[base + $dst as usize] = $value
                };
            }
            // Errors need the place: the op just fetched.
            macro_rules! stop {
                ($error:expr) => {{
                    let error = $error;
                    return Err(self.undefined_memory(error, code.spans[pc - 1]));
                }};
            }
            loop {
                let op = code.ops[pc];
                pc += 1;
                match op {
                    Op::Enter { block, n_steps } => {
                        if (self.options.leaps || self.options.finds_repetition)
                            && self.pace.is_due()
                            && self.look_ahead(&code, base, pc - 1)
                        {
                            return Err(Box::new(Outcome::OutOfSteps));
                        }
                        self.steps += u64::from(n_steps);
                        if self.steps > self.options.max_steps {
                            return Err(Box::new(Outcome::OutOfSteps));
                        }
                        if self.options.coverage {
                            self.count_block(&code, block);
                        }
                    }
                    Op::Move { dst, src } => set!(dst, get!(src)),
                    Op::Add { shift, dst, a, b } => {
                        set!(dst, cut(get!(a).wrapping_add(get!(b)), shift));
                    }
                    Op::Offset { dst, a, b } => {
                        set!(dst, self.memory.further(get!(a), get!(b)));
                    }
                    Op::Sub { shift, dst, a, b } => {
                        set!(dst, cut(get!(a).wrapping_sub(get!(b)), shift));
                    }
                    Op::Mul { shift, dst, a, b } => {
                        set!(dst, cut(get!(a).wrapping_mul(get!(b)), shift));
                    }
                    Op::And { dst, a, b } => set!(dst, get!(a) & get!(b)),
                    Op::Or { dst, a, b } => set!(dst, get!(a) | get!(b)),
                    Op::Xor { dst, a, b } => set!(dst, get!(a) ^ get!(b)),
                    Op::Not { shift, dst, a } => set!(dst, cut(!get!(a), shift)),
                    Op::Shl { shift, dst, a, b } => {
                        let amount = get!(b);
                        let in_range = amount < u64::from(64 - shift);
                        set!(dst, if in_range { cut(get!(a) << amount, shift) } else { 0 });
                    }
                    Op::Lshr { shift, dst, a, b } => {
                        let amount = get!(b);
                        let in_range = amount < u64::from(64 - shift);
                        set!(dst, if in_range { get!(a) >> amount } else { 0 });
                    }
                    Op::Ashr { shift, dst, a, b } => {
                        let amount = get!(b).min(63);
                        let shifted = sign_extend(get!(a), shift) >> amount;
                        set!(dst, cut(shifted.cast_unsigned(), shift));
                    }
                    Op::Eq { dst, a, b } => set!(dst, u64::from(get!(a) == get!(b))),
                    Op::Ne { dst, a, b } => set!(dst, u64::from(get!(a) != get!(b))),
                    Op::Ult { dst, a, b } => set!(dst, u64::from(get!(a) < get!(b))),
                    Op::Ule { dst, a, b } => set!(dst, u64::from(get!(a) <= get!(b))),
                    Op::Slt { shift, dst, a, b } => {
                        let is_less =
                            (get!(a) << shift).cast_signed() < (get!(b) << shift).cast_signed();
                        set!(dst, u64::from(is_less));
                    }
                    Op::Sle { shift, dst, a, b } => {
                        let is_less =
                            (get!(a) << shift).cast_signed() <= (get!(b) << shift).cast_signed();
                        set!(dst, u64::from(is_less));
                    }
                    Op::AddOverflowsSigned { shift, dst, a, b } => {
                        let (a, b) =
                            ((get!(a) << shift).cast_signed(), (get!(b) << shift).cast_signed());
                        set!(dst, u64::from(a.checked_add(b).is_none()));
                    }
                    Op::SubOverflowsSigned { shift, dst, a, b } => {
                        let (a, b) =
                            ((get!(a) << shift).cast_signed(), (get!(b) << shift).cast_signed());
                        set!(dst, u64::from(a.checked_sub(b).is_none()));
                    }
                    Op::MulOverflowsSigned { shift, dst, a, b } => {
                        let (a, b) =
                            (sign_extend(get!(a), shift), (get!(b) << shift).cast_signed());
                        set!(dst, u64::from(a.checked_mul(b).is_none()));
                    }
                    Op::Truncate { shift, dst, a } => set!(dst, cut(get!(a), shift)),
                    Op::SignExtend { from, to, dst, a } => {
                        set!(dst, cut(sign_extend(get!(a), from).cast_unsigned(), to));
                    }
                    Op::Select { dst, condition, a, b } => {
                        set!(dst, if get!(condition) != 0 { get!(a) } else { get!(b) });
                    }
                    Op::AddF64 { dst, a, b } => {
                        set!(dst, (float(get!(a)) + float(get!(b))).to_bits());
                    }
                    Op::SubF64 { dst, a, b } => {
                        set!(dst, (float(get!(a)) - float(get!(b))).to_bits());
                    }
                    Op::MulF64 { dst, a, b } => {
                        set!(dst, (float(get!(a)) * float(get!(b))).to_bits());
                    }
                    Op::DivF64 { dst, a, b } => {
                        set!(dst, (float(get!(a)) / float(get!(b))).to_bits());
                    }
                    Op::Load { size, dst, ptr } => match self.memory.load(get!(ptr), size.into()) {
                        Ok(word) => set!(dst, word),
                        Err(error) => stop!(error),
                    },
                    Op::Store { size, ptr, src } => {
                        if let Err(error) = self.memory.store(get!(ptr), size.into(), get!(src)) {
                            stop!(error);
                        }
                    }
                    Op::LocalAddr { dst, local } => {
                        let frame = self.frames.last().expect("a function runs");
                        let address = match frame.locals[local as usize] {
                            Some(id) => self.memory.address_of(id, 0),
                            None => self.start_local(local)?,
                        };
                        set!(dst, address);
                    }
                    Op::LocalStart { local } => {
                        self.start_local(local)?;
                    }
                    Op::LocalEnd { local } => self.end_local(local),
                    Op::CheckTrue { reg, instr } => {
                        if get!(reg) == 0 {
                            self.frames.last_mut().expect("a function runs").pc = pc;
                            return Err(self.failed_condition(&code, code.instr(instr)));
                        }
                    }
                    Op::Jump { pc: target } => pc = target as usize,
                    Op::Branch { condition, if_true, if_false } => {
                        pc = if get!(condition) != 0 { if_true } else { if_false } as usize;
                    }
                    Op::Edge { edge } => self.take_edge(&code, code.edges[edge as usize]),
                    Op::Watch { watch } => {
                        let registers = &self.registers[base..];
                        let nearest = &mut self.coverage.nearest;
                        code.watches[watch as usize].note(registers, nearest);
                    }
                    Op::Switch { index, value } => {
                        let table = &code.switches[index as usize];
                        let mut word = u128::from(get!(value));
                        if table.is_wide {
                            word |= u128::from(get!(value + 1)) << 64;
                        }
                        pc = switch_target(table, word) as usize;
                    }
                    Op::Slow { instr } => {
                        self.frames.last_mut().expect("a function runs").pc = pc;
                        self.slow(&code, code.instr(instr))?;
                    }
                    Op::Call { instr } => {
                        self.frames.last_mut().expect("a function runs").pc = pc;
                        if self.call(&code, code.instr(instr))? {
                            continue 'frame;
                        }
                    }
                    Op::ReturnVoid => {
                        if self.leave(0, depth).is_some() {
                            return Ok(0);
                        }
                        continue 'frame;
                    }
                    Op::Return { src, is_wide } => {
                        let mut value = u128::from(get!(src));
                        if is_wide {
                            value |= u128::from(get!(src + 1)) << 64;
                        }
                        if self.leave(value, depth).is_some() {
                            return Ok(value);
                        }
                        continue 'frame;
                    }
                    Op::Unreachable => {
                        let span = code.spans[pc - 1];
                        return Err(self.undefined(CheckKind::Unreachable, span, vec![], None));
                    }
                }
            }
        }
    }

    /// Leaves the newest function; `Some` when the stack is then at `depth`.
    fn leave(&mut self, value: u128, depth: usize) -> Option<()> {
        let frame = self.pop_frame().expect("a function runs");
        if self.frames.len() == depth {
            return Some(());
        }
        if let Some((reg, is_wide)) = frame.result {
            let base = self.frames.last().expect("its caller").base;
            self.registers[base + reg as usize] = value as u64;
            if is_wide {
                self.registers[base + reg as usize + 1] = (value >> 64) as u64;
            }
        }
        None
    }

    fn count_block(&mut self, code: &Code, block: u32) {
        let function = self.coverage.functions.entry(code.function).or_default();
        if function.blocks.is_empty() {
            function.blocks = vec![0; code.n_blocks];
        }
        function.blocks[block as usize] += 1;
    }

    fn take_edge(&mut self, code: &Code, edge: Edge) {
        if self.follower.is_some() {
            self.note_moment(Some((edge.block, edge.position)));
        }
        if self.options.trace {
            let activation = self.frames.last().expect("a function runs").activation;
            let (function, block) = (code.function, edge.block);
            let event = Event { function, activation, block, edge: edge.position };
            self.coverage.trace.push(event);
        }
        if !self.options.coverage {
            return;
        }
        let function = self.coverage.functions.entry(code.function).or_default();
        *function.edges.entry((edge.block, edge.position)).or_default() += 1;
        let Some(seen) = edge.condition else { return };
        let evaluations = &mut self.frames.last_mut().expect("a function runs").evaluations;
        // Condition 0 is always evaluated first: it begins a new evaluation.
        if seen.condition == 0 {
            evaluations.retain(|(decision, _)| *decision != seen.decision);
            let body = self.program.body(code.function);
            let n_conditions = body.decisions[seen.decision.index()].conditions.len();
            evaluations.push((seen.decision, vec![None; n_conditions]));
        }
        let position = evaluations.iter().position(|(decision, _)| *decision == seen.decision);
        let Some(position) = position else { return };
        evaluations[position].1[usize::from(seen.condition)] = Some(seen.value);
        if let Some(outcome) = seen.outcome {
            let (decision, conditions) = evaluations.remove(position);
            function.add_evaluation(decision, Evaluation { conditions, outcome });
        }
    }
}

fn switch_target(table: &SwitchTable, word: u128) -> u32 {
    let after = table.ranges.partition_point(|&(low, _, _)| low <= word);
    match after.checked_sub(1).map(|index| table.ranges[index]) {
        Some((_, high, pc)) if word <= high => pc,
        _ => table.default,
    }
}
