//! How many random tests are enough: how often one shows a fault, estimated from mutants, and what follows from it.
//!
//! Gotlieb and Bernard, "A semi-empirical model of test quality in symmetric testing" (QSIC 2006): p_s is the share of
//! pairs of a mutant and an input with which the mutant violates a relation of the function; q = 1 - (1 - p_s)^N. Where a
//! function has no relation, the function itself is what its mutants are compared with.

pub mod bound;
mod decide;

use std::time::Duration;

pub use decide::Decided;
use glassbox_explore::{Budget, TestRunner};
use glassbox_interp::Outcome;
use glassbox_ir::{Callee, CheckKind, FuncId, InstrKind, Number, Program, Shape};
use glassbox_testcase::{InputValue, NamedInput, TestInput};
use glassbox_values::{Bits, Signedness};

use crate::drive::{Case, each_program};
use crate::language::{Language, Refusal, Variant};
use crate::listener::Listener;
use crate::plan::{Operator, Plan};
use crate::relation::relations;

/// Which inputs are drawn, and how many.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The smallest and the largest value of every parameter; those of a byte that all parameters have where none is said.
    pub range: Option<(i64, i64)>,
    /// Inputs to draw for all mutants together; all inputs are tried where there are no more.
    pub samples: u64,
    pub seed: u64,
    /// For the question about one mutant and one relation, where mutants are not only tried with inputs.
    pub proves: Option<Duration>,
}

/// Mutants of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Class {
    pub operator: Operator,
    pub n_mutants: u64,
    /// Inputs that were tried with them.
    pub n_tried: u64,
    /// Those that showed the change.
    pub n_shown: u64,
    /// Those that the relations do not speak of, or with which something else went wrong: tried, and not shown.
    pub n_excluded: u64,
}

/// What decides whether a mutant is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oracle {
    /// So many relations of the function.
    Relations(usize),
    /// What the function itself does.
    Original,
}

/// What is known of one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    pub function: String,
    pub params: Vec<String>,
    pub oracle: Oracle,
    pub classes: Vec<Class>,
    /// The smallest and the largest value of every parameter.
    pub range: (i64, i64),
    /// Inputs in the range.
    pub n_inputs: u128,
    /// All of them were tried with every mutant.
    pub is_exact: bool,
    /// What was found out about all inputs, where that was asked.
    pub decided: Option<Decided>,
}

impl Estimate {
    /// All mutants, whatever their kind.
    pub fn total(&self) -> (u64, u64) {
        let tried = self.classes.iter().map(|class| class.n_tried).sum();
        (self.classes.iter().map(|class| class.n_shown).sum(), tried)
    }
}

/// Estimates how often a random input shows a fault, for every function of the plan; why not, where it cannot be.
pub fn quality(
    plan: &Plan,
    options: &Options,
    listener: &dyn Listener,
) -> Result<Vec<Result<Estimate, String>>, Refusal> {
    let mut all = Vec::new();
    each_program(plan, listener, &mut Vec::new(), |language, functions| {
        for function in functions {
            let functions = [function];
            let case = Case::new(&*language, plan, &functions, listener);
            all.push(estimate(&case, function, options));
        }
    })?;
    Ok(all)
}

fn estimate(case: &Case<'_>, function: FuncId, options: &Options) -> Result<Estimate, String> {
    let language = case.language;
    let program = language.program();
    let declared = program.function(function);
    let name = &declared.name;
    let is_number = |param: &glassbox_ir::Param| {
        matches!(program.shape(param.source_type), Shape::Number(Number::Int { .. }))
    };
    if declared.params.is_empty() || !declared.params.iter().all(is_number) {
        return Err(format!("{name}: random inputs are drawn for functions of integers only"));
    }
    let range = range(program, declared, options.range)?;
    let fits = |id: &FuncId| program.function(*id).params.len() == declared.params.len();
    let own: Vec<FuncId> = relations(program, function).filter(fits).collect();
    let mut variants = language.variants(function);
    variants.retain(|variant| variant.function.is_some());
    if variants.is_empty() {
        return Err(format!("{name}: it has no mutants"));
    }
    let n_values = range.1.abs_diff(range.0).saturating_add(1);
    let n_inputs = (0..declared.params.len())
        .try_fold(1u128, |product, _| product.checked_mul(u128::from(n_values)))
        .unwrap_or(u128::MAX);
    let n_mutants = u64::try_from(variants.len()).unwrap_or(u64::MAX);
    let per_mutant = options.samples.div_ceil(n_mutants).max(1);
    let is_exact = n_inputs <= u128::from(per_mutant);
    let draws = Draws { range, n_values, per_mutant, is_exact, n_inputs };
    let mut classes: Vec<Class> = Vec::new();
    for (number, variant) in (0u64..).zip(&variants) {
        let found =
            tried(language, function, variant, &own, draws.inputs(options.seed, number, declared));
        let position = classes.iter().position(|class| class.operator == variant.operator);
        let position = position.unwrap_or_else(|| {
            let operator = variant.operator;
            classes.push(Class { operator, n_mutants: 0, n_tried: 0, n_shown: 0, n_excluded: 0 });
            classes.len() - 1
        });
        let class = &mut classes[position];
        class.n_mutants += 1;
        class.n_tried += found.n_tried;
        class.n_shown += found.n_shown;
        class.n_excluded += found.n_excluded;
    }
    let oracle = if own.is_empty() { Oracle::Original } else { Oracle::Relations(own.len()) };
    if options.proves.is_some() && own.is_empty() {
        return Err(format!(
            "{name}: it has no relation that mutants could violate\n\
             help: `glassbox mutate` decides whether they do the same as the function"
        ));
    }
    let decided = options.proves.map(|time| Decided::of(case, function, (&variants, &own), time));
    let params = declared.params.iter().map(|param| param.name.clone()).collect();
    let function = name.clone();
    Ok(Estimate { function, params, oracle, classes, range, n_inputs, is_exact, decided })
}

/// The values of a byte, signed as most are.
const USUAL: (i64, i64) = (-128, 127);

/// The values that all parameters are drawn from; why not those that are asked for.
fn range(
    program: &Program,
    function: &glassbox_ir::Function,
    asked: Option<(i64, i64)>,
) -> Result<(i64, i64), String> {
    let (mut low, mut high) = asked.unwrap_or(USUAL);
    for param in &function.params {
        let Some((least, most)) = limits(program, param) else { continue };
        let clamp =
            |value: i64| i64::try_from(i128::from(value).clamp(least, most)).unwrap_or(value);
        let inside = (clamp(low), clamp(high));
        if asked.is_some() && inside != (low, high) {
            return Err(format!(
                "{}: `{}` holds {least} to {most}, so {low}..{high} is no range of it\n\
                 help: say --range {}..{}",
                function.name, param.name, inside.0, inside.1
            ));
        }
        (low, high) = inside;
    }
    Ok((low, high))
}

/// The smallest and the largest value of an integer parameter.
fn limits(program: &Program, param: &glassbox_ir::Param) -> Option<(i128, i128)> {
    let Shape::Number(Number::Int { signedness, width }) = program.shape(param.source_type) else {
        return None;
    };
    let value = |bits: Bits| match signedness {
        Signedness::Signed => bits.signed(),
        Signedness::Unsigned => i128::try_from(bits.unsigned()).unwrap_or(i128::MAX),
    };
    let (least, most) = (Bits::min_value(signedness, width), Bits::max_value(signedness, width));
    Some((value(least), value(most)))
}

/// The inputs of one mutant.
#[derive(Debug, Clone, Copy)]
struct Draws {
    range: (i64, i64),
    n_values: u64,
    per_mutant: u64,
    is_exact: bool,
    n_inputs: u128,
}

impl Draws {
    fn inputs<'p>(
        self,
        seed: u64,
        mutant: u64,
        function: &'p glassbox_ir::Function,
    ) -> impl Iterator<Item = TestInput> + use<'p> {
        let count = if self.is_exact {
            u64::try_from(self.n_inputs).unwrap_or(u64::MAX)
        } else {
            self.per_mutant
        };
        let mut state = own_state(seed, mutant);
        (0..count).map(move |number| {
            let mut rest = number;
            let params = function.params.iter().map(|param| {
                let offset = if self.is_exact {
                    let digit = rest % self.n_values;
                    rest /= self.n_values;
                    digit
                } else {
                    uniform(&mut state, self.n_values)
                };
                let value = i128::from(self.range.0) + i128::from(offset);
                let width = match param.ty {
                    glassbox_ir::Ty::Int(width) => width,
                    glassbox_ir::Ty::Float(_) | glassbox_ir::Ty::Ptr => 32,
                };
                let (name, source_type) = (param.name.clone(), param.source_type);
                NamedInput {
                    name,
                    source_type,
                    value: InputValue::Int(Bits::from_signed(value, width)),
                }
            });
            TestInput { params: params.collect(), ..TestInput::default() }
        })
    }
}

/// Where the draws of a mutant begin. States of SplitMix64 are an arithmetic progression, so mutants that begin at
/// neighbors of one seed would draw the same numbers, only later.
fn own_state(seed: u64, mutant: u64) -> u64 {
    let mut state = seed;
    let mut own = split_mix(&mut state) ^ mutant;
    split_mix(&mut own)
}

/// A number below the bound, each with the same chance: what would favor small ones is drawn again.
fn uniform(state: &mut u64, bound: u64) -> u64 {
    let fair = u64::MAX - u64::MAX % bound;
    loop {
        let drawn = split_mix(state);
        if drawn < fair {
            return drawn % bound;
        }
    }
}

/// SplitMix64, as elsewhere.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[derive(Debug, Default)]
struct Tried {
    n_tried: u64,
    n_shown: u64,
    n_excluded: u64,
}

/// Runs the relations with the mutant in the place of the function, or compares it with the function.
fn tried(
    language: &dyn Language,
    function: FuncId,
    variant: &Variant,
    own: &[FuncId],
    inputs: impl Iterator<Item = TestInput>,
) -> Tried {
    let mut found = Tried::default();
    let mut program = language.program().clone();
    let entries: Vec<FuncId> = match (own, variant.function, &variant.comparison) {
        ([], _, Ok(comparison)) => vec![*comparison],
        ([], _, Err(_)) => Vec::new(),
        (own, Some(mutant), _) => {
            own.iter().for_each(|&relation| replace(&mut program, relation, function, mutant));
            own.to_vec()
        }
        (_, None, _) => Vec::new(),
    };
    let options = glassbox_interp::Options {
        coverage: false,
        trace: false,
        ..TestRunner::options(Budget::default().run_steps)
    };
    let mut runner = TestRunner::new(&program, options, language.library());
    for input in inputs {
        found.n_tried += 1;
        let (mut is_shown, mut is_excluded) = (false, entries.is_empty());
        for &entry in &entries {
            match runner.ending(entry, &input) {
                Some(Outcome::Undefined(error)) if error.kind == CheckKind::Relation => {
                    is_shown = true;
                    break;
                }
                Some(Outcome::Returned(_)) => {}
                Some(
                    Outcome::Undefined(_)
                    | Outcome::Exited(_)
                    | Outcome::Aborted
                    | Outcome::AssumptionFailed(_)
                    | Outcome::Unsupported { .. }
                    | Outcome::MissingFunction { .. }
                    | Outcome::OutOfSteps
                    | Outcome::OutOfMemory,
                )
                | None => is_excluded = true,
            }
        }
        found.n_shown += u64::from(is_shown);
        found.n_excluded += u64::from(is_excluded && !is_shown);
    }
    found
}

/// Calls of one function inside of another become calls of a third.
fn replace(program: &mut Program, inside: FuncId, from: FuncId, to: FuncId) {
    let Some(body) = &mut program.functions[inside.index()].body else { return };
    for instr in body.blocks.iter_mut().flat_map(|block| &mut block.instrs) {
        if let InstrKind::Call(call) = &mut instr.kind
            && call.callee == Callee::Direct(from)
        {
            call.callee = Callee::Direct(to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{own_state, uniform};

    /// Numbers that two mutants draw are not the same ones, some steps later.
    #[test]
    fn mutants_draw_for_themselves() {
        let drawn = |seed: u64, mutant: u64| -> Vec<u64> {
            let mut state = own_state(seed, mutant);
            (0..64).map(|_| uniform(&mut state, 1 << 40)).collect()
        };
        for seed in [0, 1, 2, 77] {
            let first = drawn(seed, 0);
            for mutant in 1..8 {
                let others = drawn(seed, mutant);
                let n_same = others.iter().filter(|value| first.contains(value)).count();
                assert!(n_same < 3, "mutant {mutant}, seed {seed}: {n_same} numbers are the same");
            }
        }
    }
}
