//! The program that a specification becomes does what its rules say: random inputs of both are compared, and what is
//! left out is what is deeper than it may be.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

use glassbox_interp::{Machine, Options as MachineOptions, Outcome};
use glassbox_ir::{Program, Shape, SourceType};
use glassbox_libc::Libc;
use glassbox_rules_front::lower::{Aim, Lowered, Options, lower};
use glassbox_rules_front::rewrite::{Result, fired};
use glassbox_rules_front::term::Term;
use glassbox_rules_front::{Spec, read};
use glassbox_testkit::{Random, root};
use glassbox_values::Bits;

const DEPTH: usize = 3;

fn corpus(name: &str) -> String {
    std::fs::read_to_string(root().join("corpus/rules").join(name)).expect("a file of the corpus")
}

fn lowered(text: &str, aim: Aim) -> (Spec, Program, Vec<Lowered>) {
    let spec = read(text).expect("a specification");
    let options = Options { aim, depth: DEPTH, recursion: 8 };
    let (program, functions) = lower(&spec, "a.rules", text, &options);
    glassbox_ir::verify::assert_verified(&program, "rules-front");
    (spec, program, functions)
}

/// A value for a parameter: one of few numbers, so that equal ones come often.
fn value(program: &Program, ty: &SourceType, random: &mut Random) -> Bits {
    match ty {
        SourceType::Enum { width, constants, .. } => {
            Bits::from_u64(random.below(constants.len() as u64), *width)
        }
        SourceType::Bool => Bits::from_u64(random.below(2u64), 8),
        SourceType::Int { width, .. } => {
            let numbers: [i64; 9] = [0, 1, -1, 2, 3, 4, 5, 127, i64::from(i32::MIN)];
            Bits::from_i64(random.pick(&numbers), *width)
        }
        SourceType::Void
        | SourceType::Float { .. }
        | SourceType::Pointer { .. }
        | SourceType::Array { .. }
        | SourceType::Record { .. }
        | SourceType::Function { .. }
        | SourceType::Named { .. }
        | SourceType::Class(_)
        | SourceType::ClassArray { .. }
        | SourceType::Opaque { .. } => {
            panic!("no parameter has the type {ty:?} in {:?}", program.language)
        }
    }
}

/// Compares runs of every function with its rules; how many runs were compared, and how many were left out.
fn compare(text: &str, n_runs: usize) -> (usize, usize) {
    let (spec, program, functions) = lowered(text, Aim::Rules);
    let mut random = Random::new(7);
    let (mut n_compared, mut n_left_out) = (0, 0);
    for (position, known) in functions.iter().enumerate() {
        let declared = program.function(known.function);
        let types: Vec<SourceType> = declared
            .params
            .iter()
            .map(|param| program.source_type(param.source_type).clone())
            .collect();
        for _ in 0..n_runs {
            let values: Vec<Bits> =
                types.iter().map(|ty| value(&program, ty, &mut random)).collect();
            let words: Vec<u128> = values.iter().map(|bits| bits.unsigned()).collect();
            let libc = Box::new(Libc::new());
            let mut machine =
                Machine::new(&program, MachineOptions::default(), libc).expect("a machine");
            let n_params = spec.functions[position].params.len();
            let args = known.inputs.arguments(&spec, n_params, &values);
            let terms: Vec<Term> = args.into_iter().map(|argument| argument.term).collect();
            match machine.run(known.function, &words) {
                Outcome::Returned(Some(index)) => {
                    let rules = fired(&spec, position, &terms).expect("it ends");
                    let n_rules = spec.functions[position].rules.len();
                    let first = rules.first().map_or(n_rules, |first| first.rule);
                    assert_eq!(index, first as u128, "{}{terms:?}", declared.name);
                    n_compared += 1;
                }
                Outcome::AssumptionFailed(_) => {
                    assert!(known.hits.depth || known.hits.recursion, "{}", declared.name);
                    n_left_out += 1;
                }
                other @ (Outcome::Returned(None)
                | Outcome::Exited(_)
                | Outcome::Aborted
                | Outcome::Undefined(_)
                | Outcome::Unsupported { .. }
                | Outcome::MissingFunction { .. }
                | Outcome::OutOfSteps
                | Outcome::OutOfMemory) => panic!("{}: {other:?}", declared.name),
            }
        }
    }
    (n_compared, n_left_out)
}

#[test]
fn programs_of_the_corpus_do_what_their_rules_say() {
    for name in ["plus.rules", "stack.rules", "jcvm.rules"] {
        let (n_compared, _) = compare(&corpus(name), 60);
        assert!(n_compared > 50, "{name}: {n_compared}");
    }
}

#[test]
fn partial_functions_and_exceptions_keep_their_meaning_inside_of_premises() {
    let text = "exception Odd, Zero
data opt = None | Some(x: int, rest: opt)
partial function half(x: int): int { x == 0 => raise Zero; x % 2 == 0, x != 0 => x / 2; x % 2 != 0, x > 3 => raise Odd; }
function f(x: int, y: int): int {
    <a> half(x) -> raise Zero => 1;
    <b> half(x) -> raise Odd, half(y) -> raise Odd => 2;
    <c> half(x) -> 1 => 3;
    <d> half(x / y) -> z, z > x => 4;
    <e> x == 7 || half(y) == 2 => 5;
    <f> 6;
}
function depth(o: opt): int { o -> None => 0; o -> Some(_, r) => 1 + depth(r); }
function same(o: opt, p: opt): bool { o == p && depth(o) != 1 => true; o != p => false; depth(o) -> 1 => false; }
function swapped(b: bool, o: opt): opt { b => o; !b, o -> Some(x, r) => Some(x + 1, r); !b, o -> None => Some(0, None); }
function twice(b: bool, o: opt): bool { swapped(b, swapped(!b, o)) -> Some(1, Some(y, _)), y > 0 => true; false; }
";
    let (n_compared, n_left_out) = compare(text, 400);
    assert!(n_compared > 1500 && n_left_out > 0, "{n_compared} {n_left_out}");
}

#[test]
fn what_is_too_large_is_said() {
    let text = "function f(x: int, y: int): int { x <= 0 => y; x > 0 => f(f(x - 1, y), f(x - 2, y)) + f(x - 3, y) + f(x - 4, y) + f(y, x); }";
    let (_, _, functions) = lowered(text, Aim::Properties);
    assert!(functions[0].hits.size, "{:?}", functions[0].hits);
}

#[test]
fn answers_of_the_paper() {
    let spec = read(&corpus("plus.rules")).expect("a specification");
    let zero = Term::Make { data: 0, constructor: 0, args: Vec::new() };
    let next = |term: Term| Term::Make { data: 0, constructor: 1, args: vec![term] };
    let one = next(zero.clone());
    // plus(S(O), S(O)) -> S(S(O)), by the second rule.
    let fired = fired(&spec, 0, &[one.clone(), one.clone()]).expect("it ends");
    assert_eq!(fired.len(), 1);
    assert_eq!((fired[0].rule, &fired[0].result), (1, &Result::Value(next(one))));
}

#[test]
fn proofs_rest_on_depth_only_where_rules_look_there() {
    let (spec, _, functions) = lowered(&corpus("jcvm.rules"), Aim::Rules);
    let hits = |name: &str| functions[spec.function(name).expect("a function")].hits;
    assert!(!hits("push").depth && !hits("swap").depth && !hits("push").recursion);
    assert!(hits("ret").depth, "it walks along the locals");
    let (_, program, _) = lowered(&corpus("jcvm.rules"), Aim::Properties);
    assert!(matches!(program.shape(program.functions[0].result_source_type), Shape::Number(_)));
}
