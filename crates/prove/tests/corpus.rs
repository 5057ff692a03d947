//! The corpus of loops: every assertion is proved without a bound, and no broken twin is.

mod random;

use std::path::Path;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_ir::{Check, CheckKind, InstrKind, Program};
use glassbox_prove::{Answer, Options, Place, Prover, Question};

/// Programs that need more than the prover has: they must stay unproved, or leave this list.
const NOT_YET: &[&str] = &[];

fn read(path: &Path, flags: &[&str]) -> Program {
    let mut front = Front::new();
    let flags = flags.iter().map(|&flag| flag.to_owned()).collect();
    let text = Preprocessor { flags, ..Preprocessor::default() }.run(path).expect("a C file");
    front.add_unit(&path.display().to_string(), text, &mut |name| read_original(None, name));
    compile(front, Promotion::Promote).program.expect("the corpus should compile")
}

/// Whether all assertions hold, those of called functions included.
fn is_proved(program: &Program) -> bool {
    let function = program.function_named("f").expect("every program has a function `f`");
    let mut prover = Prover::new(program, function, Options::default());
    let mut n_assertions = 0;
    let mut all = true;
    for function in program.function_ids() {
        let Some(body) = &program.function(function).body else { continue };
        for block in body.block_ids() {
            for (instr, at) in body.block(block).instrs.iter().zip(0..) {
                let InstrKind::Check(Check::Condition { kind: CheckKind::Assertion, .. }) =
                    instr.kind
                else {
                    continue;
                };
                n_assertions += 1;
                let place = Place { function, block, instr: at };
                let answer = prover.decide(&Question::CheckFails(place));
                all &= matches!(answer, Answer::Impossible(proof) if proof.bounds.is_empty());
            }
        }
    }
    assert!(n_assertions > 0, "there should be something to prove");
    all
}

#[test]
fn loops_are_proved_and_their_broken_twins_are_not() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/proofs");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 50, "the corpus should be there");
    for path in paths {
        let name =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let expected = !NOT_YET.contains(&name.as_str());
        assert_eq!(is_proved(&read(&path, &[])), expected, "{name}");
        assert!(!is_proved(&read(&path, &["-DBROKEN"])), "{name} with BROKEN");
    }
}
