//! A test program that was built: the tests of one of its functions run, and what they did is judged.
//!
//! All tests run in one call of the program, which gives each a process of its own and a file for what its probes see;
//! one that fails there or does not end is run once more for itself.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::PathBuf;

use glassbox_ir::DecisionId;

use crate::confirm::{Confirmation, Confirmed, PROGRAM, Replay, ReplayError, Tested};
use crate::gcov::line_counts;
use crate::probe::{Numbers, ProbeSite, read_events};
use crate::sandbox::{Finished, Limits, run};

/// As many reports as the runtime of tests writes in one test.
const MOST_EVENTS: usize = 1 << 20;

/// One function of a program.
pub(crate) struct Running<'a> {
    pub(crate) replay: &'a Replay<'a>,
    pub(crate) tested: &'a Tested<'a>,
    /// Among the functions of the program.
    pub(crate) position: usize,
    pub(crate) numbers: Numbers,
    /// By test: why it is not in the program.
    pub(crate) rejected: Vec<Option<String>>,
    /// Whether the operands of comparisons are reported.
    pub(crate) has_comparisons: bool,
}

/// How a test ended, by the runtime of tests.
enum Record {
    /// With these reports of probes.
    Passed(Vec<(usize, bool)>),
    Failed,
    /// It did not come to its end.
    Missing,
}

impl Running<'_> {
    /// Runs every test twice, the second time in reverse order.
    pub(crate) fn confirm(&self) -> Result<Confirmed, ReplayError> {
        let folder = self.folder();
        fs::create_dir_all(&folder).map_err(|error| ReplayError::Io(folder, error))?;
        let is_built = |test: &usize| self.rejected[*test].is_none();
        let tests: Vec<usize> = (0..self.rejected.len()).filter(is_built).collect();
        let mut results: Vec<Confirmation> = self
            .rejected
            .iter()
            .map(|words| {
                let words = words.as_deref().unwrap_or_default();
                Confirmation::Rejected(format!("it does not compile: {words}"))
            })
            .collect();
        for (test, seen) in self.pass(tests.clone())? {
            results[test] = seen;
        }
        let ends = |test: &usize| !matches!(results[*test], Confirmation::Unfinished(_));
        let again: Vec<usize> = tests.into_iter().rev().filter(ends).collect();
        for (test, again) in self.pass(again)? {
            let is_flaky =
                (again == Confirmation::Confirmed) != (results[test] == Confirmation::Confirmed);
            if let Confirmation::Unfinished(_) = again {
                results[test] = again;
            } else if is_flaky {
                results[test] = Confirmation::Flaky;
            }
        }
        Ok(Confirmed { confirmations: results, line_counts: self.line_counts() })
    }

    /// Where the tests of this function run: what they leave behind is for no other.
    fn folder(&self) -> PathBuf {
        self.replay.folder.join(format!("run_{}", self.position))
    }

    fn name(&self, test: usize) -> &str {
        &self.tested.file.tests[test].name
    }

    /// How the names of files with reports begin.
    fn events(&self) -> String {
        self.folder().join("events-").display().to_string()
    }

    fn events_of(&self, test: usize) -> PathBuf {
        PathBuf::from(format!("{}{}", self.events(), self.name(test)))
    }

    /// Runs these tests in this order.
    fn pass(&self, tests: Vec<usize>) -> Result<Vec<(usize, Confirmation)>, ReplayError> {
        let mut results = Vec::new();
        let mut left = tests;
        while !left.is_empty() {
            self.run(&left)?;
            let mut missing = Vec::new();
            for test in left {
                match self.record(test) {
                    Record::Passed(events) => results.push((test, self.judge(test, &events))),
                    // What it says is heard when no other speaks.
                    Record::Failed => {
                        let again = self.run_one(test)?;
                        let is_flaky = again == Confirmation::Confirmed;
                        results.push((test, if is_flaky { Confirmation::Flaky } else { again }));
                    }
                    Record::Missing => missing.push(test),
                }
            }
            // The first ran too long, after others perhaps, or brought everything down.
            let mut missing = missing.into_iter();
            if let Some(test) = missing.next() {
                results.push((test, self.run_one(test)?));
            }
            left = missing.collect();
        }
        Ok(results)
    }

    fn run(&self, tests: &[usize]) -> Result<Finished, ReplayError> {
        let folder = self.folder();
        let mut args = Vec::new();
        for &test in tests {
            // There is none in the first pass.
            let _ = fs::remove_file(self.events_of(test));
            args.push(self.name(test).to_owned());
        }
        let env = [
            ("GLASSBOX_PROBES", self.events()),
            ("GLASSBOX_FIRST_PROBE", self.numbers.first.to_string()),
            ("GLASSBOX_LAST_PROBE", self.numbers.end().saturating_sub(1).to_string()),
            // What is counted for this function, and not beside the program.
            ("GCOV_PREFIX", folder.display().to_string()),
            ("GCOV_PREFIX_STRIP", "99".to_owned()),
        ];
        run(&folder, &format!("../{PROGRAM}"), &args, &env, Limits::test())
            .map_err(|error| ReplayError::Io(self.replay.folder.join(PROGRAM), error))
    }

    fn record(&self, test: usize) -> Record {
        let text = fs::read_to_string(self.events_of(test)).unwrap_or_default();
        match text.lines().next_back() {
            Some("passed") => Record::Passed(read_events(&text)),
            Some("failed") => Record::Failed,
            Some(_) | None => Record::Missing,
        }
    }

    fn run_one(&self, test: usize) -> Result<Confirmation, ReplayError> {
        let finished = self.run(&[test])?;
        Ok(match self.record(test) {
            _ if finished.status.is_none() => Confirmation::Unfinished("ran too long".to_owned()),
            Record::Passed(events) => self.judge(test, &events),
            Record::Failed | Record::Missing => Confirmation::Failed(failure(&finished)),
        })
    }

    /// Whether a test that passed went where it should.
    fn judge(&self, test: usize, events: &[(usize, bool)]) -> Confirmation {
        let relations = self.tested.relations.get(test).filter(|_| self.has_comparisons);
        for &(comparison, relation) in relations.into_iter().flatten() {
            let probe = self.numbers.relation(comparison, relation);
            if events.iter().any(|event| event.0 == probe) {
                continue;
            }
            if events.len() >= MOST_EVENTS {
                return Confirmation::Unfinished("evaluates too much".to_owned());
            }
            let line = self.tested.comparisons[comparison].line;
            return Confirmation::Diverged(format!(
                "the operands at line {line} should be {}, and in the compiled program they never are",
                relation.words()
            ));
        }
        self.compare(&self.tested.expected[test], events)
    }

    /// The conditions of each decision that probes can see, in order, must be those expected. Which of two decisions in
    /// one expression comes first is the compiler's choice (C11 6.5p3).
    fn compare(&self, expected: &[(ProbeSite, bool)], seen: &[(usize, bool)]) -> Confirmation {
        let file = &self.tested.file;
        let visible = expected.iter().filter(|(site, _)| self.numbers.sites.contains(site));
        let mut evaluated: BTreeMap<DecisionId, VecDeque<(ProbeSite, bool)>> = BTreeMap::new();
        for &(probe, value) in seen {
            if let Some(site) = self.numbers.site(probe) {
                evaluated.entry(site.decision).or_default().push_back((site, value));
            }
        }
        let body = file.program.body(self.tested.watched);
        let named = |site: ProbeSite| {
            let condition =
                &body.decisions[site.decision.index()].conditions[usize::from(site.condition)];
            let text = condition.text.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("`{text}` of line {}", condition.span.line)
        };
        // A long expectation was cut: compare as far as it goes.
        for &(site, value) in visible {
            let next = evaluated.get_mut(&site.decision).and_then(VecDeque::pop_front);
            let instead = match next {
                Some(event) if event == (site, value) => continue,
                Some((other, found)) if other == site => format!("it is {found}"),
                Some((other, found)) => format!("{} comes first and is {found}", named(other)),
                None => "it is not evaluated".to_owned(),
            };
            return Confirmation::Diverged(format!(
                "{} should be {value}, and in the compiled program {instead}",
                named(site)
            ));
        }
        Confirmation::Confirmed
    }

    /// By line: how often the tests executed it, where somebody asks.
    fn line_counts(&self) -> Option<BTreeMap<u32, u64>> {
        if !self.tested.counts_lines {
            return None;
        }
        let folder = self.folder();
        for entry in fs::read_dir(self.replay.folder).ok()?.flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "gcno") {
                fs::copy(entry.path(), folder.join(entry.file_name())).ok()?;
            }
        }
        line_counts(&folder, PROGRAM, self.replay.unit.source)
    }
}

/// How a run failed: what it said first, else how it ended.
fn failure(finished: &Finished) -> String {
    let ending = match finished.status {
        None => "ran too long".to_owned(),
        Some(status) => status.to_string(),
    };
    let printed = finished.output.lines().find_map(|line| {
        let check = line.find("check failed: ").and_then(|at| line.get(at..));
        check.or_else(|| line.contains(": ended by signal ").then_some(line))
    });
    format!("{}\n{}", printed.unwrap_or(&ending), finished.output.trim_end())
}
