//! Every MC/DC goal that is covered has its pair in the two tests that are kept, also where no other criterion asks
//! for those tests.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_coverage::{Covered, Facts, criterion, reach};
use glassbox_explore::{Budget, PathSearch, Standing, Subject, Supervision, Watch};
use glassbox_ir::Program;
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::Verdict;

fn read(name: &str, text: Vec<u8>) -> Program {
    let mut front = Front::new();
    front.add_unit(name, text, &mut |_| None);
    compile(front, Promotion::Promote).program.unwrap_or_else(|| panic!("{name} is good C"))
}

/// Inputs that are drawn before anything else is tried.
const DRAWN: usize = 20;

/// Stops a search that is to follow no path once the drawn inputs were run: one that is stopped proves nothing either.
struct OnlyDrawn {
    stop: Arc<AtomicBool>,
    is_wanted: bool,
    n_reports: AtomicUsize,
}

impl Watch for OnlyDrawn {
    fn stands(&self, _: Standing) {
        let n_before = self.n_reports.fetch_add(1, Ordering::Relaxed);
        if self.is_wanted && n_before + 1 >= DRAWN {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Goals of all functions and how many are covered; each of these by two tests that differ in the condition.
fn covered(program: &Program, criterion: &str, paths: usize) -> (usize, usize) {
    let criterion = criterion::by_name(criterion).expect("a criterion");
    let (mut n_goals, mut n_covered) = (0, 0);
    for function in program.function_ids() {
        let declared = program.function(function);
        if declared.body.is_none() || glassbox_ir::library::is_model(program, function) {
            continue;
        }
        let goals = criterion.goals(program, function);
        let budget = Budget { paths, seeds: DRAWN, ..Budget::default() };
        let (config, stop) = (Config::default(), Arc::new(AtomicBool::new(false)));
        let n_reports = AtomicUsize::new(0);
        let watch = OnlyDrawn { stop: Arc::clone(&stop), is_wanted: paths == 0, n_reports };
        let library = Box::new(Libc::new());
        let subject = Subject { program, aim: function.into(), config, budget };
        let found =
            PathSearch::new(subject, library, Supervision::watched(&stop, &watch)).cover(&goals);
        let facts: Vec<Facts> = found.tests.iter().map(|test| test.facts.clone()).collect();
        let body = program.body(function);
        n_goals += goals.len();
        for ((goal, verdict), how) in goals.iter().zip(&found.verdicts).zip(&found.covered) {
            if let Verdict::Covered { test } = verdict {
                let how = how.expect("what is covered is covered by tests");
                assert!(matches!(how, Covered::ByPair(first, _) if first == *test), "{}", goal.id);
                assert!(reach::is_shown(body, &goal.target, how, &facts), "{}: {how:?}", goal.id);
                n_covered += 1;
            }
        }
    }
    (n_covered, n_goals)
}

#[test]
fn two_conditions_need_three_tests() {
    let text = "int f(int a, int b) { if (a > 10 && b > 10) return 1; return 0; }";
    for criterion in ["mcdc", "mcdc:unique-cause"] {
        assert_eq!(covered(&read("f.c", text.into()), criterion, 60), (2, 2));
    }
}

#[test]
fn triangles_and_the_papers_have_all_pairs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // Paths and proofs through chains of float operations take minutes; drawn inputs make pairs there, too.
    for (path, paths, at_least) in [
        ("examples/triangle.c", 60, 17),
        ("corpus/c/papers/triangles.c", 60, 1),
        ("corpus/c/papers/pointers.c", 20, 1),
        ("corpus/c/papers/inka.c", 0, 1),
        ("corpus/c/papers/glasstt.c", 0, 1),
        ("corpus/c/papers/fpse.c", 0, 1),
    ] {
        let text = std::fs::read(root.join(path)).expect("part of the repository");
        let (n_covered, n_goals) = covered(&read(path, text), "mcdc", paths);
        assert!(n_covered >= at_least, "{path}: {n_covered} of {n_goals}");
    }
}
