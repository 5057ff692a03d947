//! Random loop programs, and the comparison of the prover's verdicts with runs of the interpreter.

#![allow(dead_code, reason = "each test and example uses its part")]

pub(crate) mod calls;
pub(crate) mod memory;
pub(crate) mod pointers;
pub(crate) mod simulate;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_interp::harness::StubbedExternals;
use glassbox_interp::{Externals, Libc, Machine, Outcome, Stubs, run_test};
use glassbox_ir::{BlockId, Check, CheckKind, FuncId, InstrKind, Program, Ty};
use glassbox_prove::{Answer, Options, Place, Prover, Question};
use glassbox_testcase::{InputValue, NamedInput, TestInput};
use glassbox_values::Bits;
use simulate::Simulator;

/// A small generator of numbers: splitmix64.
#[derive(Debug, Clone)]
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[usize::try_from(self.below(items.len() as u64)).expect("small")]
    }
}

const TYPES: &[&str] = &["unsigned char", "signed char", "int", "unsigned", "short", "long"];
const VARS: &[&str] = &["a", "b", "x", "y", "z"];

/// The text of a program with these many functions `f0`, `f1`, ….
pub(crate) fn program_text(numbers: &mut Numbers, n_functions: usize) -> String {
    let mut text = String::from(
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         #define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"\", __LINE__, \"\"))\n\
         static int mark;\n\
         static int clamp(int v) { return v < 0 ? 0 : v > 20 ? 20 : v; }\n\
         static void bump(int *p) { if (*p < 50) *p = *p + 3; }\n\
         static const short table[5] = {4, -2, 9, 0, 7};\n\
         struct pair { int u; short v; };\n\
         static int sum_to(int n) { int s = 0; for (int i = 0; i < n && i < 9; i++) { if (i == 4) continue; s += i; } return s; }\n\
         static void put(unsigned char *p, int i, int v) { p[i & 3] = v; }\n\
         static void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }\n\
         static void both(struct pair *p, int d) { do { p->u++; p->v += 2; d--; } while (d > 0 && p->v < 40); }\n",
    );
    for function in 0..n_functions {
        let (p, q) = (numbers.pick(TYPES), numbers.pick(TYPES));
        let _ = writeln!(text, "int f{function}({p} a, {q} b) {{");
        for var in ["x", "y", "z"] {
            let ty = numbers.pick(TYPES);
            let init = if numbers.below(2) == 0 {
                numbers.pick(&["a", "b"]).to_owned()
            } else {
                constant(numbers)
            };
            let _ = writeln!(text, "  {ty} {var} = {init};");
        }
        let _ = writeln!(text, "  int w = 0, v = 5; unsigned char t[4] = {{1, 2, 3, 4}};");
        let _ = writeln!(text, "  struct pair r = {{1, 2}}; int *p = &w; mark = 0;");
        let n = 3 + numbers.below(4);
        for _ in 0..n {
            statement(numbers, &mut text, 2, 1);
        }
        let _ = writeln!(text, "  return (int)(x ^ y) + w + t[z & 3];\n}}");
    }
    text
}

fn leaf(numbers: &mut Numbers) -> String {
    match numbers.below(8) {
        0..4 => numbers.pick(VARS).to_owned(),
        4 => "w".to_owned(),
        5 => match numbers.below(6) {
            0 => "v".to_owned(),
            1 => "r.u".to_owned(),
            2 => "r.v".to_owned(),
            3 => format!("table[({} & 7) % 5]", numbers.pick(VARS)),
            4 => "mark".to_owned(),
            _ => format!("t[{} & 3]", numbers.pick(VARS)),
        },
        _ => constant(numbers),
    }
}

fn constant(numbers: &mut Numbers) -> String {
    numbers
        .pick(&["0", "1", "2", "3", "5", "7", "10", "16", "100", "127", "200", "255", "-1", "-5"])
        .to_owned()
}

fn expression(numbers: &mut Numbers, depth: u32) -> String {
    if depth == 0 {
        return leaf(numbers);
    }
    let a = expression(numbers, depth - 1);
    let b = expression(numbers, depth - 1);
    match numbers.below(14) {
        0..4 => format!("({a} + {})", constant(numbers)),
        4..6 => format!("({a} - {b})"),
        6 => format!("({a} + {b})"),
        7 => format!("({a} & {})", numbers.pick(&["3", "7", "15", "0x7f"])),
        8 => format!("({a} * {})", numbers.pick(&["2", "3", "4", "-1"])),
        9 => format!("({a} % {})", numbers.pick(&["3", "5", "8"])),
        10 => format!("({a} / {})", numbers.pick(&["2", "3"])),
        11 => format!("({a} >> {})", numbers.pick(&["1", "2"])),
        12 => format!("clamp({a})"),
        _ => format!("({a} < {b} ? {a} : {b})"),
    }
}

fn condition(numbers: &mut Numbers) -> String {
    let a = expression(numbers, 0);
    let b = if numbers.below(2) == 0 { constant(numbers) } else { leaf(numbers) };
    let op = numbers.pick(&["<", "<=", ">", ">=", "==", "!="]);
    let first = format!("{a} {op} {b}");
    if numbers.below(5) == 0 {
        let joint = numbers.pick(&["&&", "||"]);
        format!(
            "{first} {joint} {} {} {}",
            leaf(numbers),
            numbers.pick(&["<", ">="]),
            constant(numbers)
        )
    } else {
        first
    }
}

fn statement(numbers: &mut Numbers, text: &mut String, depth: u32, indent: usize) {
    let pad = "  ".repeat(indent);
    match numbers.below(if depth == 0 { 8 } else { 13 }) {
        0..4 => {
            let (var, value) = (numbers.pick(&["x", "y", "z", "w", "v"]), expression(numbers, 1));
            let _ = writeln!(text, "{pad}{var} = {value};");
        }
        4 => {
            let _ = writeln!(text, "{pad}if ({}) mark = {};", condition(numbers), numbers.below(9));
        }
        5 => {
            let _ = writeln!(text, "{pad}assert({});", condition(numbers));
        }
        6 => {
            let (index, value) = (leaf(numbers), expression(numbers, 1));
            let _ = writeln!(text, "{pad}t[{index} & 3] = {value};");
        }
        7 => {
            let _ = match numbers.below(9) {
                0 => writeln!(text, "{pad}swap(&w, &v);"),
                1 => writeln!(text, "{pad}put(t, {}, {});", leaf(numbers), leaf(numbers)),
                2 => writeln!(text, "{pad}both(&r, {});", leaf(numbers)),
                3 => writeln!(text, "{pad}if ({}) p = &v;", condition(numbers)),
                4 => writeln!(text, "{pad}*p = {} & 31;", leaf(numbers)),
                5 => writeln!(text, "{pad}w = sum_to({});", leaf(numbers)),
                6 => writeln!(text, "{pad}mark = mark < 9 ? mark + 1 : 3;"),
                7 => writeln!(text, "{pad}r.u = {};", expression(numbers, 1)),
                _ => writeln!(text, "{pad}bump(&w);"),
            };
        }
        8..10 => {
            let _ = writeln!(text, "{pad}if ({}) {{", condition(numbers));
            statement(numbers, text, depth - 1, indent + 1);
            if numbers.below(2) == 0 {
                let _ = writeln!(text, "{pad}}} else {{");
                statement(numbers, text, depth - 1, indent + 1);
            }
            let _ = writeln!(text, "{pad}}}");
        }
        10 => {
            let var = numbers.pick(&["x", "y", "z"]);
            let bound = if numbers.below(2) == 0 { constant(numbers) } else { leaf(numbers) };
            let step = numbers.pick(&["++", " += 2", " += 3"]);
            let _ = writeln!(text, "{pad}for ({var} = 0; {var} < {bound}; {var}{step}) {{");
            for _ in 0..=numbers.below(2) {
                statement(numbers, text, depth - 1, indent + 1);
            }
            let _ = writeln!(text, "{pad}}}");
        }
        11 => {
            let _ = writeln!(text, "{pad}while ({}) {{", condition(numbers));
            for _ in 0..=numbers.below(2) {
                statement(numbers, text, depth - 1, indent + 1);
            }
            let (var, step) =
                (numbers.pick(&["x", "y", "z"]), numbers.pick(&["++", "--", " += 3"]));
            let _ = writeln!(text, "{pad}  {var}{step};");
            if numbers.below(3) == 0 {
                let _ = writeln!(text, "{pad}  if ({}) break;", condition(numbers));
            }
            let _ = writeln!(text, "{pad}}}");
        }
        _ => {
            let _ = writeln!(text, "{pad}switch ({} & 3) {{", leaf(numbers));
            for case in 0..3 {
                let _ = writeln!(text, "{pad}case {case}:");
                statement(numbers, text, 0, indent + 1);
                let _ = writeln!(text, "{pad}  {}", numbers.pick(&["break;", "break;", ";"]));
            }
            let _ = writeln!(text, "{pad}}}");
        }
    }
}

pub(crate) fn read_text(text: &str) -> Program {
    let path = std::env::temp_dir().join(format!(
        "glassbox-prove-{}-{:x}.c",
        std::process::id(),
        text.len()
    ));
    std::fs::write(&path, text).expect("a temporary file can be written");
    let mut front = Front::new();
    let preprocessed = Preprocessor::default().run(&path).expect("the text should be preprocessed");
    front.add_unit("random.c", preprocessed, &mut |name| read_original(None, name));
    let _ = std::fs::remove_file(&path);
    let compiled = compile(front, Promotion::Promote);
    compiled.program.expect("the text should compile")
}

/// What happened in all runs of a function.
#[derive(Debug, Default)]
pub(crate) struct Happened {
    edges: BTreeSet<(FuncId, BlockId, u32)>,
    failures: BTreeSet<Place>,
    /// Those that are not about what an access finds.
    bad_accesses: BTreeSet<Place>,
}

/// Counts of one comparison.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) questions: usize,
    pub(crate) impossible: usize,
    pub(crate) runs: usize,
    pub(crate) simulated: usize,
}

/// Asks about every edge and every check of a function and its callees, and compares with runs.
/// The complaint says what was claimed to be impossible and happened.
pub(crate) fn compare(
    program: &Program,
    function: FuncId,
    options: &Options,
    numbers: &mut Numbers,
    n_runs: usize,
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut prover = Prover::new(program, function, options.clone());
    let simulator = Simulator::new(program, function, options);
    let mut happened = Happened::default();
    let stubs = Stubs::default();
    let machine_options = glassbox_interp::Options {
        max_steps: 20_000,
        max_bytes: 1 << 24,
        coverage: true,
        trace: true,
        ..glassbox_interp::Options::default()
    };
    let library: Box<dyn Externals> = Box::new(Libc::default());
    let externals = StubbedExternals { stubs: stubs.clone(), library };
    let mut machine =
        Machine::new(program, machine_options, Box::new(externals)).expect("a machine");
    for _ in 0..n_runs {
        let has_memory = program.function(function).params.iter().any(|p| p.ty == Ty::Ptr);
        let (input, bits) = if has_memory {
            let has_lists = program.global_ids().any(|id| program.global(id).name == "head");
            let input = if has_lists {
                pointers::random_input(program, function, numbers)
            } else {
                memory::random_input(program, function, numbers)
            };
            (input, Vec::new())
        } else {
            random_input(program, function, numbers)
        };
        let Some(run) = run_test(&mut machine, &stubs, function, &input) else { continue };
        tally.runs += 1;
        let trace: Vec<(FuncId, BlockId, u32)> =
            machine.coverage().trace.iter().map(|e| (e.function, e.block, e.edge)).collect();
        note(program, &trace, &run.outcome, &mut happened);
        if !has_memory
            && let Some(simulation) = simulator.as_ref().and_then(|s| s.run(&bits, 3_000))
        {
            tally.simulated += 1;
            if let Some(story) = simulation.contradiction {
                return Err(format!("{story} for {bits:?}"));
            }
            let n = simulation.edges.len().min(trace.len());
            let is_cut = !simulation.is_complete || run.outcome == Outcome::OutOfSteps;
            if simulation.edges[..n] != trace[..n]
                || (!is_cut && simulation.edges.len() != trace.len())
            {
                return Err(format!(
                    "the graph goes another way for {bits:?}: {:?} and {trace:?}",
                    simulation.edges
                ));
            }
        }
    }
    for question in questions(program, function) {
        tally.questions += 1;
        let answer = prover.decide(&question);
        if !matches!(answer, Answer::Impossible(_)) {
            continue;
        }
        tally.impossible += 1;
        let does_happen = match &question {
            Question::Edge { function, block, edge } => {
                happened.edges.contains(&(*function, *block, *edge))
            }
            Question::CheckFails(place) => happened.failures.contains(place),
            Question::AccessFails(place) => happened.bad_accesses.contains(place),
            Question::Reached(_) | Question::AnyEdge { .. } => false,
        };
        if does_happen {
            return Err(format!("{question:?} happens, but {answer:?}"));
        }
    }
    Ok(tally)
}

fn random_input(
    program: &Program,
    function: FuncId,
    numbers: &mut Numbers,
) -> (TestInput, Vec<Bits>) {
    let mut input = TestInput::default();
    let mut all = Vec::new();
    for param in &program.function(function).params {
        let Ty::Int(width) = param.ty else { continue };
        let value = match numbers.below(4) {
            0 => i128::from(numbers.below(24)) - 4,
            1 => i128::from(numbers.below(300)) - 40,
            2 => [0, 1, 127, 128, 255, -1, -128, i128::from(i32::MAX), i128::from(i32::MIN)]
                [usize::try_from(numbers.below(9)).expect("small")],
            _ => i128::from(numbers.next()),
        };
        let bits = Bits::from_signed(value, width);
        all.push(bits);
        input.params.push(NamedInput {
            name: param.name.clone(),
            source_type: param.source_type,
            value: InputValue::Int(bits),
        });
    }
    (input, all)
}

fn note(
    program: &Program,
    trace: &[(FuncId, BlockId, u32)],
    outcome: &Outcome,
    happened: &mut Happened,
) {
    happened.edges.extend(trace.iter().copied());
    let Outcome::Undefined(report) = outcome else { return };
    let Some(function) = report.stack.last().map(|entry| entry.function) else { return };
    let Some(body) = &program.function(function).body else { return };
    let mut places = Vec::new();
    for block in body.block_ids() {
        for (instr, at) in body.block(block).instrs.iter().zip(0..) {
            let InstrKind::Check(check) = &instr.kind else { continue };
            if is_about(check, report.kind) && instr.span == report.span {
                places.push(Place { function, block, instr: at });
            }
        }
    }
    // With several candidates nobody knows which one failed.
    if let [only] = places[..] {
        let _ = happened.failures.insert(only);
        if !matches!(report.kind, CheckKind::Uninitialized | CheckKind::WriteToConstant) {
            let _ = happened.bad_accesses.insert(only);
        }
    }
}

/// Whether a failure of this kind may be one of the check.
fn is_about(check: &Check, reported: CheckKind) -> bool {
    let is_memory = matches!(
        reported,
        CheckKind::NullDereference
            | CheckKind::OutOfBounds
            | CheckKind::UseAfterFree
            | CheckKind::Uninitialized
            | CheckKind::PointerOverflow
            | CheckKind::BadFree
            | CheckKind::DoubleFree
    );
    match check {
        Check::Condition { kind, .. } => *kind == reported,
        Check::Readable { .. }
        | Check::Accessible { .. }
        | Check::Writable { .. }
        | Check::Freeable { .. }
        | Check::InBoundsOffset { .. } => is_memory,
        Check::Callable { .. } | Check::SameObject { .. } => false,
    }
}

fn questions(program: &Program, root: FuncId) -> Vec<Question> {
    let mut questions = Vec::new();
    for function in program.function_ids() {
        let name = program.function(function).name.as_str();
        if function != root
            && !matches!(name, "clamp" | "bump" | "sum_to" | "put" | "swap" | "both")
            && !matches!(name, "r0" | "r1" | "r2" | "r3")
        {
            continue;
        }
        let Some(body) = &program.function(function).body else { continue };
        for block in body.block_ids() {
            for (edge, _) in (0..).zip(body.block(block).terminator.targets()) {
                questions.push(Question::Edge { function, block, edge });
            }
            for (instr, at) in body.block(block).instrs.iter().zip(0..) {
                if matches!(instr.kind, InstrKind::Check(_)) {
                    let place = Place { function, block, instr: at };
                    questions.extend([Question::CheckFails(place), Question::AccessFails(place)]);
                }
            }
        }
    }
    questions
}
