//! Ways that are tried beside the nearest ones: those in calls that decide about a goal.

use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile_text;
use glassbox_coverage::criterion;
use glassbox_explore::{Aim, Budget, PathSearch, Subject};
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::Verdict;

/// How many goals of `f` stay unknown after so many paths.
fn n_open(text: &str, paths: usize) -> usize {
    let program = compile_text(text).program.unwrap_or_else(|| panic!("bad C: {text}"));
    let function = program.function_named("f").expect("f is defined");
    let goals = criterion::by_name("branch").expect("a criterion").goals(&program, function);
    let budget = Budget { paths, ..Budget::default() };
    let (config, stop) = (Config::default(), AtomicBool::new(false));
    let aim = Aim { function, entry: function };
    let subject = Subject { program: &program, aim, config, budget };
    let result = PathSearch::new(subject, Box::new(Libc::new()), &stop).cover(&goals);
    result.verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Unknown(_))).count()
}

/// The loop in front makes three ways of each letter; what `same` returns is what matters.
#[test]
fn a_comparison_goes_on_to_its_wanted_return() {
    let text = "
        static int same(const char *a, const char *b) {
            for (;; a++, b++) {
                if (*a != *b) return 0;
                if (!*a) return 1;
            }
        }
        int f(const char *text, const char *other) {
            int kinds = 0;
            for (int i = 0; other[i]; i++) {
                if (other[i] == ' ') kinds++;
                else if (other[i] == 'x') kinds += 2;
            }
            if (same(text, \"letters\")) return kinds;
            return -1;
        }";
    assert_eq!(n_open(text, 100), 0);
}

/// A pointer is wanted through two calls, of which the inner one compares.
#[test]
fn a_wanted_return_is_looked_for_in_calls_of_calls() {
    let text = "
        static const char *const names[] = {\"north\", \"south\", \"east\"};
        static int same(const char *a, const char *b) {
            while (*a && *a == *b) a++, b++;
            return *a == *b;
        }
        static const char *find(const char *name) {
            for (int i = 0; i < 3; i++)
                if (same(names[i], name)) return names[i];
            return 0;
        }
        int f(const char *name, const char *other) {
            int kinds = 0;
            for (int i = 0; other[i]; i++)
                if (other[i] == ' ') kinds++;
            const char *found = find(name);
            if (!found) return -1;
            if (found[0] == 's') return 1;
            return kinds;
        }";
    assert_eq!(n_open(text, 150), 0);
}
