//! What each ingredient of the prover is worth: proofs and time over C files, with one ingredient less each
//! time. `ablation FILE...`; without files, the corpus of loops.
//!
//! Times are those of the processor where the kernel reports them, since machines are shared.
//!
//! Then the time of each program whose name begins with `spec_b`, the best of three: graph, invariants and proof.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_ir::{Check, CheckKind, InstrKind, Program};
use glassbox_prove::{Answer, Options, Place, Prover, Question};

fn read(path: &Path, flags: &[String]) -> Option<Program> {
    let mut front = Front::new();
    let preprocessor = Preprocessor { flags: flags.to_vec(), ..Preprocessor::default() };
    let text = preprocessor.run(path).ok()?;
    front.add_unit(&path.display().to_string(), text, &mut |name| read_original(None, name));
    compile(front, Promotion::Promote).program
}

/// Milliseconds that this thread was on a processor; by the clock where the kernel does not say.
fn elapsed(start: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    spent.map_or_else(|| start.elapsed().as_secs_f64() * 1e3, |nanoseconds| nanoseconds / 1e6)
}

/// Programs all of whose assertions are proved, programs, and the longest time for one in milliseconds.
fn measure(programs: &[Program], options: &Options) -> (usize, usize, f64, f64) {
    let (mut n_proved, mut n_all, mut longest) = (0, 0, 0.0_f64);
    let clock = Instant::now();
    let begin = elapsed(clock);
    for program in programs {
        let Some(function) = program.function_named("f") else { continue };
        let start = elapsed(clock);
        let mut prover = Prover::new(program, function, options.clone());
        let mut is_proved = true;
        for function in program.function_ids() {
            let Some(body) = &program.function(function).body else { continue };
            for block in body.block_ids() {
                for (instr, at) in body.block(block).instrs.iter().zip(0..) {
                    if let InstrKind::Check(Check::Condition {
                        kind: CheckKind::Assertion, ..
                    }) = instr.kind
                    {
                        let place = Place { function, block, instr: at };
                        let answer = prover.decide(&Question::CheckFails(place));
                        is_proved &= matches!(answer, Answer::Impossible(_));
                    }
                }
            }
        }
        n_all += 1;
        n_proved += usize::from(is_proved);
        longest = longest.max(elapsed(clock) - start);
    }
    (n_proved, n_all, elapsed(clock) - begin, longest)
}

fn main() {
    let mut paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/proofs");
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        paths = entries.map(|entry| entry.path()).collect();
        paths.sort();
    }
    let good: Vec<Program> = paths.iter().filter_map(|path| read(path, &[])).collect();
    let flags = ["-DBROKEN".to_owned()];
    let broken: Vec<Program> = paths.iter().filter_map(|path| read(path, &flags)).collect();
    // Questions that these budgets do not decide are rarely decided at all.
    let limit = Some(Duration::from_secs(20));
    let all = || Options { conflicts: 4_000, time_limit: limit, ..Options::default() };
    let rows: Vec<(&str, Options)> = vec![
        ("everything", all()),
        ("no linear layer", Options { linear: false, ..all() }),
        ("no probing", Options { probing: false, ..all() }),
        ("no summaries", Options { summaries: false, ..all() }),
        ("no contents of arrays", Options { contents: false, ..all() }),
        ("no induction", Options { induction: false, ..all() }),
        ("no whole-function model", Options { whole_function: false, ..all() }),
        ("invariants only", Options { induction: false, whole_function: false, ..all() }),
        ("no call summaries", Options { call_summaries: false, ..all() }),
        ("eager calls", Options { eager_calls: true, ..all() }),
    ];
    println!("| ingredients | proved | time, ms | longest, ms | broken twins proved |");
    println!("|---|---|---|---|---|");
    for (name, options) in rows {
        let (n_proved, n_all, time, longest) = measure(&good, &options);
        let (n_wrong, _, _, _) = measure(&broken, &options);
        println!("| {name} | {n_proved} of {n_all} | {time:.0} | {longest:.0} | {n_wrong} |");
    }
    println!("\n| program | best of three, ms |");
    println!("|---|---|");
    for path in &paths {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name.filter(|name| name.starts_with("spec_b")) else { continue };
        let Some(program) = read(path, &[]) else { continue };
        let program = [program];
        let times = (0..3).map(|_| measure(&program, &Options::default()).2);
        println!("| {name} | {:.1} |", times.fold(f64::INFINITY, f64::min));
    }
}
