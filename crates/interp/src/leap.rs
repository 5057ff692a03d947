//! Leaps: many turns of a counting loop at once, with exactly the state that single turns would give.
//!
//! **When**: now and then, where a block begins, one turn (from this block back to it) is followed on a copy of
//! the registers. It must consist of register operations, branches and checks that pass; memory, calls and
//! anything else end the attempt.
//! **What is shown**: from its first to its second value every register that the turn reads changes by a step.
//! When registers are `start + step * t` at the beginning of turn `t`, every operation of the turn gives such a
//! sum again, as long as nothing wraps around, no comparison changes its truth and no branch its direction;
//! each operation says for how many turns that is so, and the sums at the end must be those of the beginning
//! one turn on. So by induction all these turns go the same way.
//! **Strength**: linear updates by constants, comparisons, overflow checks, products with constants. A loop whose
//! state is not linear is run turn by turn.
//! **Endless runs**: a turn, or a few, after which all registers are what they were, is gone through for ever.
//! **Not counted**: steps of turns that are leapt over, which are added up for themselves, and their events in a trace; blocks and edges
//! are. Distances to edges (`nearness`) are noted at the first and the last of these turns: between them they are lines, too.

use crate::code::{Code, Op, Reg};
use crate::machine::Machine;
use crate::nearness::{Nearest, improve};

/// Operations of one turn that are worth following.
const MAX_OPS: usize = 256;

/// Operations in which a state is looked for again.
const MAX_REPEATED: usize = 4096;

/// Blocks between attempts at first; doubled after every one that fails.
const FIRST_PAUSE: u32 = 1 << 10;
const LAST_PAUSE: u32 = 1 << 17;

/// Turns that one leap may take: sums stay far below 2^127.
const MAX_TURNS: i128 = 1 << 60;

/// When to try.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    left: u32,
    pause: u32,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { left: FIRST_PAUSE, pause: FIRST_PAUSE }
    }
}

impl Pace {
    /// Counts a block; true when it is time for an attempt.
    pub(crate) fn is_due(&mut self) -> bool {
        self.left -= 1;
        self.left == 0
    }

    fn wait(&mut self, has_leapt: bool) {
        self.pause = if has_leapt { FIRST_PAUSE } else { (2 * self.pause).min(LAST_PAUSE) };
        self.left = self.pause;
    }
}

/// `at + step * t` in turn `t`, a word that does not wrap around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    at: i128,
    step: i128,
}

/// A turn that was followed.
struct Turn {
    /// Where each operation was.
    trace: Vec<usize>,
    /// Registers after it.
    after: Vec<u64>,
    /// How near it came to edges.
    nearest: Nearest,
}

/// The registers of one turn as lines.
struct Lines<'a> {
    before: &'a [u64],
    after: &'a [u64],
    /// Written so far in the turn.
    written: Vec<Option<Line>>,
    /// Read before they were written.
    is_read_first: Vec<bool>,
    /// The last turn for which everything holds, from 0.
    last: i128,
}

impl Machine<'_> {
    /// Control is about to enter the block at `pc`, and the turns ahead are due to be examined. True when the run will never
    /// end.
    pub(crate) fn look_ahead(&mut self, code: &Code, base: usize, pc: usize) -> bool {
        let registers = &self.registers[base..base + code.n_regs];
        if self.options.finds_repetition && comes_back(code, registers, pc) {
            self.is_endless = true;
            return true;
        }
        if self.options.leaps {
            self.leap(code, base, pc);
        } else {
            self.pace.wait(false);
        }
        false
    }

    /// Control is about to enter the block at `pc`: takes as many turns as are surely the same, but the last.
    fn leap(&mut self, code: &Code, base: usize, pc: usize) {
        let registers = &self.registers[base..base + code.n_regs];
        let found = follow(code, registers, pc)
            .and_then(|turn| Some((lines_of(code, registers, &turn)?, turn)));
        self.pace.wait(found.is_some());
        let Some(((written, n_turns), turn)) = found else { return };
        for (reg, line) in written {
            let word = line.at + line.step * (n_turns - 1);
            self.registers[base + reg] = u64::try_from(word).expect("a line stays a word");
        }
        let n_turns = u64::try_from(n_turns).unwrap_or(u64::MAX);
        let steps = turn.trace.iter().map(|&at| {
            if let Op::Enter { n_steps, .. } = code.ops[at] { u64::from(n_steps) } else { 0 }
        });
        self.leapt_steps = self.leapt_steps.saturating_add(n_turns.saturating_mul(steps.sum()));
        for (&edge, &distance) in &turn.nearest {
            improve(&mut self.coverage.nearest, edge, distance);
        }
        if self.options.coverage {
            self.count_turns(code, &turn.trace, n_turns);
        }
    }

    fn count_turns(&mut self, code: &Code, trace: &[usize], n_turns: u64) {
        let function = self.coverage.functions.entry(code.function).or_default();
        if function.blocks.is_empty() {
            function.blocks = vec![0; code.n_blocks];
        }
        for &at in trace {
            if let Op::Enter { block, .. } = code.ops[at] {
                function.blocks[block as usize] += n_turns;
            } else if let Op::Edge { edge } = code.ops[at] {
                let edge = code.edges[edge as usize];
                *function.edges.entry((edge.block, edge.position)).or_default() += n_turns;
            }
        }
    }
}

/// Follows one turn from `start` back to it. `None` when it does anything but compute, or is too long.
fn follow(code: &Code, before: &[u64], start: usize) -> Option<Turn> {
    let mut registers = before.to_vec();
    let mut trace = Vec::new();
    let mut nearest = Nearest::new();
    let mut pc = start;
    while trace.len() < MAX_OPS {
        trace.push(pc);
        if let Op::Watch { watch } = code.ops[pc] {
            code.watches[watch as usize].note(&registers, &mut nearest);
        }
        pc = advance(code, &mut registers, pc)?;
        if pc == start {
            return Some(Turn { trace, after: registers, nearest });
        }
    }
    None
}

/// Does the operation at `pc` on a copy of the registers; the next one. `None` for what reads or changes anything
/// but registers.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "`compute` knows the operations on registers and refuses the rest"
)]
fn advance(code: &Code, registers: &mut [u64], pc: usize) -> Option<usize> {
    let next = pc + 1;
    Some(match code.ops[pc] {
        Op::Enter { .. } | Op::Edge { .. } | Op::Watch { .. } => next,
        Op::Jump { pc: target } => target as usize,
        Op::Branch { condition, if_true, if_false } => {
            let is_true = registers[condition as usize] != 0;
            if is_true { if_true as usize } else { if_false as usize }
        }
        Op::CheckTrue { reg, .. } => {
            if registers[reg as usize] == 0 {
                return None;
            }
            next
        }
        other => {
            let (dst, word) = compute(other, registers)?;
            registers[dst as usize] = word;
            next
        }
    })
}

/// Whether control comes back to `start` with the same registers, and has touched nothing else: it does so for
/// ever.
fn comes_back(code: &Code, before: &[u64], start: usize) -> bool {
    let mut registers = before.to_vec();
    let mut pc = start;
    for _ in 0..MAX_REPEATED {
        let Some(next) = advance(code, &mut registers, pc) else { return false };
        pc = next;
        if pc == start && registers == before {
            return true;
        }
    }
    false
}

fn signed(word: u64, shift: u8) -> i64 {
    (word << shift).cast_signed() >> shift
}

fn cut(word: u64, shift: u8) -> u64 {
    (word << shift) >> shift
}

/// The register and the word that an operation gives; `None` for those that leaps do not know.
fn compute(op: Op, registers: &[u64]) -> Option<(Reg, u64)> {
    let get = |reg: Reg| registers[reg as usize];
    let high = |reg: Reg, shift: u8| (get(reg) << shift).cast_signed();
    Some(match op {
        Op::Move { dst, src } => (dst, get(src)),
        Op::Add { shift, dst, a, b } => (dst, cut(get(a).wrapping_add(get(b)), shift)),
        Op::Sub { shift, dst, a, b } => (dst, cut(get(a).wrapping_sub(get(b)), shift)),
        Op::Mul { shift, dst, a, b } => (dst, cut(get(a).wrapping_mul(get(b)), shift)),
        Op::And { dst, a, b } => (dst, get(a) & get(b)),
        Op::Or { dst, a, b } => (dst, get(a) | get(b)),
        Op::Xor { dst, a, b } => (dst, get(a) ^ get(b)),
        Op::Not { shift, dst, a } => (dst, cut(!get(a), shift)),
        Op::Eq { dst, a, b } => (dst, u64::from(get(a) == get(b))),
        Op::Ne { dst, a, b } => (dst, u64::from(get(a) != get(b))),
        Op::Ult { dst, a, b } => (dst, u64::from(get(a) < get(b))),
        Op::Ule { dst, a, b } => (dst, u64::from(get(a) <= get(b))),
        Op::Slt { shift, dst, a, b } => (dst, u64::from(high(a, shift) < high(b, shift))),
        Op::Sle { shift, dst, a, b } => (dst, u64::from(high(a, shift) <= high(b, shift))),
        Op::AddOverflowsSigned { shift, dst, a, b } => {
            (dst, u64::from(high(a, shift).checked_add(high(b, shift)).is_none()))
        }
        Op::SubOverflowsSigned { shift, dst, a, b } => {
            (dst, u64::from(high(a, shift).checked_sub(high(b, shift)).is_none()))
        }
        Op::MulOverflowsSigned { shift, dst, a, b } => {
            (dst, u64::from(signed(get(a), shift).checked_mul(high(b, shift)).is_none()))
        }
        Op::Truncate { shift, dst, a } => (dst, cut(get(a), shift)),
        Op::SignExtend { from, to, dst, a } => (dst, cut(signed(get(a), from).cast_unsigned(), to)),
        Op::Select { dst, condition, a, b } => {
            (dst, if get(condition) != 0 { get(a) } else { get(b) })
        }
        Op::Offset { .. }
        | Op::Shl { .. }
        | Op::Lshr { .. }
        | Op::Ashr { .. }
        | Op::AddF64 { .. }
        | Op::SubF64 { .. }
        | Op::MulF64 { .. }
        | Op::DivF64 { .. }
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::LocalAddr { .. }
        | Op::LocalStart { .. }
        | Op::LocalEnd { .. }
        | Op::Enter { .. }
        | Op::CheckTrue { .. }
        | Op::Jump { .. }
        | Op::Branch { .. }
        | Op::Edge { .. }
        | Op::Watch { .. }
        | Op::Slow { .. }
        | Op::Call { .. }
        | Op::Switch { .. }
        | Op::ReturnVoid
        | Op::Return { .. }
        | Op::Unreachable => return None,
    })
}

/// Registers that the turn writes, as lines over the turns' ends, and how many turns are the same but for the
/// last one.
fn lines_of(code: &Code, before: &[u64], turn: &Turn) -> Option<(Vec<(usize, Line)>, i128)> {
    let mut lines = Lines {
        before,
        after: &turn.after,
        written: vec![None; before.len()],
        is_read_first: vec![false; before.len()],
        last: MAX_TURNS,
    };
    for &at in &turn.trace {
        lines.pass(code.ops[at])?;
    }
    let mut written = Vec::new();
    for (reg, line) in lines.written.iter().enumerate() {
        let Some(line) = line else { continue };
        if lines.is_read_first[reg] && line.step != lines.first(reg).step {
            return None;
        }
        written.push((reg, *line));
    }
    // The last turn is left to the interpreter; without any limit the loop does not end.
    (lines.last >= 2 && lines.last < MAX_TURNS).then_some((written, lines.last))
}

impl Lines<'_> {
    /// A register at the beginning of the turns.
    fn first(&self, reg: usize) -> Line {
        let at = i128::from(self.before[reg]);
        Line { at, step: i128::from(self.after[reg]) - at }
    }

    fn get(&mut self, reg: Reg) -> Line {
        let reg = reg as usize;
        match self.written[reg] {
            Some(line) => line,
            None => {
                self.is_read_first[reg] = true;
                self.first(reg)
            }
        }
    }

    fn set(&mut self, dst: Reg, line: Line) {
        self.written[dst as usize] = Some(line);
    }

    /// Turns in which a line stays within `least..=greatest`, where it is in turn 0.
    fn keep_within(&mut self, line: Line, least: i128, greatest: i128) -> Option<()> {
        if line.at < least || line.at > greatest {
            return None;
        }
        let last = match line.step {
            0 => MAX_TURNS,
            step if step > 0 => (greatest - line.at) / step,
            step => (line.at - least) / -step,
        };
        self.last = self.last.min(last);
        Some(())
    }

    /// The line of a word of `64 - shift` bits.
    fn word(&mut self, at: u64, step: i128, shift: u8) -> Option<Line> {
        let line = Line { at: i128::from(at), step };
        self.keep_within(line, 0, (1 << (64 - shift)) - 1)?;
        Some(line)
    }

    /// A word read as a signed number, which keeps its sign bit.
    fn signed(&mut self, reg: Reg, shift: u8) -> Option<Line> {
        let line = self.get(reg);
        let half = 1_i128 << (63 - shift);
        if line.at < half {
            self.keep_within(line, 0, half - 1)?;
            Some(line)
        } else {
            self.keep_within(line, half, 2 * half - 1)?;
            Some(Line { at: line.at - 2 * half, step: line.step })
        }
    }

    /// The truth of `a - b <= limit`, and for how long it stays.
    fn at_most(&mut self, a: Line, b: Line, limit: i128) -> Option<Line> {
        let gap = Line { at: a.at - b.at - limit, step: a.step - b.step };
        let far = 1_i128 << 100;
        let is_true = gap.at <= 0;
        if is_true {
            self.keep_within(gap, -far, 0)?;
        } else {
            self.keep_within(gap, 1, far)?;
        }
        Some(Line { at: i128::from(is_true), step: 0 })
    }

    fn equal(&mut self, a: Line, b: Line) -> Option<bool> {
        let gap = Line { at: a.at - b.at, step: a.step - b.step };
        let far = 1_i128 << 100;
        match gap.at {
            0 => self.keep_within(gap, 0, 0)?,
            at if at > 0 => self.keep_within(gap, 1, far)?,
            _ => self.keep_within(gap, -far, -1)?,
        }
        Some(gap.at == 0)
    }

    /// Overflow of a signed result that is a line: it does not happen, for so many turns.
    fn no_overflow(&mut self, dst: Reg, result: Line, shift: u8) -> Option<()> {
        let half = 1_i128 << (63 - shift);
        self.keep_within(result, -half, half - 1)?;
        self.set(dst, Line { at: 0, step: 0 });
        Some(())
    }

    /// One operand of a product must be constant; the step is scaled by its signed reading.
    fn product_step(&mut self, a: Reg, b: Reg, shift: u8) -> Option<i128> {
        let (x, y) = (self.get(a), self.get(b));
        let (line, factor) = match (x.step, y.step) {
            (_, 0) => (x, y),
            (0, _) => (y, x),
            _ => return None,
        };
        let factor = signed(u64::try_from(factor.at).ok()?, shift);
        line.step.checked_mul(factor.into())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "`pass_comparison` has the other half")]
    fn pass(&mut self, op: Op) -> Option<()> {
        let word = |line: Line| u64::try_from(line.at).expect("a line begins with a word");
        match op {
            Op::Enter { .. } | Op::Edge { .. } | Op::Jump { .. } | Op::Watch { .. } => {}
            Op::Branch { condition: reg, .. } | Op::CheckTrue { reg, .. } => {
                if self.get(reg).step != 0 {
                    return None;
                }
            }
            Op::Move { dst, src } => {
                let line = self.get(src);
                self.set(dst, line);
            }
            Op::Add { shift, dst, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                let sum = cut(word(a).wrapping_add(word(b)), shift);
                let line = self.word(sum, a.step + b.step, shift)?;
                self.set(dst, line);
            }
            Op::Sub { shift, dst, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                let difference = cut(word(a).wrapping_sub(word(b)), shift);
                let line = self.word(difference, a.step - b.step, shift)?;
                self.set(dst, line);
            }
            Op::Mul { shift, dst, a, b } => {
                let step = self.product_step(a, b, shift)?;
                let (a, b) = (self.get(a), self.get(b));
                let line = self.word(cut(word(a).wrapping_mul(word(b)), shift), step, shift)?;
                self.set(dst, line);
            }
            Op::Not { shift, dst, a } => {
                let a = self.get(a);
                let line = self.word(cut(!word(a), shift), -a.step, shift)?;
                self.set(dst, line);
            }
            Op::Truncate { shift, dst, a } => {
                let a = self.get(a);
                let line = self.word(cut(word(a), shift), a.step, shift)?;
                self.set(dst, line);
            }
            Op::SignExtend { from, to, dst, a } => {
                let line = self.signed(a, from)?;
                let extended = i64::try_from(line.at).ok()?.cast_unsigned();
                let line = self.word(cut(extended, to), line.step, to)?;
                self.set(dst, line);
            }
            Op::Select { dst, condition, a, b } => {
                let condition = self.get(condition);
                if condition.step != 0 {
                    return None;
                }
                let line = self.get(if condition.at != 0 { a } else { b });
                self.set(dst, line);
            }
            Op::And { dst, a, b } => self.pass_bitwise(dst, a, b, |x, y| x & y)?,
            Op::Or { dst, a, b } => self.pass_bitwise(dst, a, b, |x, y| x | y)?,
            Op::Xor { dst, a, b } => self.pass_bitwise(dst, a, b, |x, y| x ^ y)?,
            other => self.pass_comparison(other)?,
        }
        Some(())
    }

    fn pass_bitwise(&mut self, dst: Reg, a: Reg, b: Reg, op: fn(i128, i128) -> i128) -> Option<()> {
        let (x, y) = (self.get(a), self.get(b));
        if x.step != 0 || y.step != 0 {
            return None;
        }
        self.set(dst, Line { at: op(x.at, y.at), step: 0 });
        Some(())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "`follow` has ended at everything else")]
    fn pass_comparison(&mut self, op: Op) -> Option<()> {
        match op {
            Op::Eq { dst, a, b } | Op::Ne { dst, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                let is_true = self.equal(a, b)? == matches!(op, Op::Eq { .. });
                self.set(dst, Line { at: i128::from(is_true), step: 0 });
            }
            Op::Ult { dst, a, b } | Op::Ule { dst, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                let truth = self.at_most(a, b, -i128::from(matches!(op, Op::Ult { .. })))?;
                self.set(dst, truth);
            }
            Op::Slt { shift, dst, a, b } | Op::Sle { shift, dst, a, b } => {
                let (a, b) = (self.signed(a, shift)?, self.signed(b, shift)?);
                let truth = self.at_most(a, b, -i128::from(matches!(op, Op::Slt { .. })))?;
                self.set(dst, truth);
            }
            Op::AddOverflowsSigned { shift, dst, a, b } => {
                let (a, b) = (self.signed(a, shift)?, self.signed(b, shift)?);
                let sum = Line { at: a.at + b.at, step: a.step + b.step };
                self.no_overflow(dst, sum, shift)?;
            }
            Op::SubOverflowsSigned { shift, dst, a, b } => {
                let (a, b) = (self.signed(a, shift)?, self.signed(b, shift)?);
                let difference = Line { at: a.at - b.at, step: a.step - b.step };
                self.no_overflow(dst, difference, shift)?;
            }
            Op::MulOverflowsSigned { shift, dst, a, b } => {
                let step = self.product_step(a, b, shift)?;
                let (a, b) = (self.signed(a, shift)?, self.signed(b, shift)?);
                let product = Line { at: a.at.checked_mul(b.at)?, step };
                self.no_overflow(dst, product, shift)?;
            }
            _ => return None,
        }
        Some(())
    }
}
