//! The work on one version of a document, in threads of its own: what is known at once first, then what a short search
//! finds, then what a long one does.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use glassbox_driver::guard::guarded;
use glassbox_driver::listener::{Counted, Problem, Standing};
use glassbox_driver::live::{Live, Looked, Portrait};
use glassbox_driver::plan::{self, Overlay};
use glassbox_driver::{FunctionReport, Listener, Plan, Refusal, Task, c};
use glassbox_ir::Program;

use crate::Planner;
use crate::cache::{Cache, Side};

/// What is asked while somebody writes: every statement, and both sides of every condition.
const CRITERIA: [&str; 2] = ["statement", "branch"];
/// The first searches in each function, one after the other where something is left open: with the pause before them and the
/// reading, what the first one finds is shown well within 300 milliseconds.
const SHORT: [Duration; 2] = [Duration::from_millis(60), Duration::from_millis(300)];
/// The last, where those left something open; the user's own limit where that is less.
const LONG: Duration = Duration::from_secs(10);
/// The stack of a thread that reads and searches: as much as a main thread usually has.
pub(crate) const STACK_SIZE: usize = 8 << 20;

/// What is to be looked at.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) uri: String,
    pub(crate) path: PathBuf,
    /// What the editor shows; absent where the saved file is read.
    pub(crate) text: Option<Arc<str>>,
    /// News of other generations are old.
    pub(crate) generation: u64,
    /// Set where the result is not waited for any more.
    pub(crate) stop: Arc<AtomicBool>,
    /// Waited for before the work, because the next edit often follows at once.
    pub(crate) pause: Duration,
}

/// What a job has found out.
#[derive(Debug)]
pub(crate) enum News {
    /// The program was read; by function, what is known already.
    Opened {
        side: Side,
        portraits: Vec<Portrait>,
        known: Vec<Option<Arc<Looked>>>,
        problems: Vec<Problem>,
    },
    /// It could not be read.
    Refused {
        side: Side,
        problems: Vec<Problem>,
    },
    Found {
        side: Side,
        position: usize,
        looked: Arc<Looked>,
    },
    /// Nothing more comes.
    Ended,
}

/// Carries news to where they are waited for.
pub(crate) type Report<'a> = dyn Fn(News) + Sync + 'a;

impl Job {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Does the work. Both sides are independent programs, so they are read at the same time.
    pub(crate) fn run(&self, planner: &dyn Planner, cache: &Cache, report: &Report<'_>) {
        std::thread::sleep(self.pause);
        if !self.is_stopped() {
            std::thread::scope(|scope| {
                for side in Side::ALL {
                    let work = move || {
                        let outcome = guarded(|| self.side(side, planner, cache, report));
                        if let Err(message) = outcome {
                            let message = format!("an internal error of glassbox: {message}");
                            report(News::Refused { side, problems: vec![plain(&message)] });
                        }
                    };
                    let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
                    if let Err(error) = builder.spawn_scoped(scope, work) {
                        let problems = vec![plain(&error.to_string())];
                        report(News::Refused { side, problems });
                    }
                }
            });
        }
        report(News::Ended);
    }

    fn side(&self, side: Side, planner: &dyn Planner, cache: &Cache, report: &Report<'_>) {
        let ear = Ear::new(Arc::clone(&self.stop));
        let opened = self.plan(side, planner).and_then(|plan| {
            let limit = plan.budget.time.min(LONG);
            let live = Live::open(plan, &ear).map_err(|Refusal(text)| text)?;
            Ok((live, limit))
        });
        let (mut live, limit) = match opened {
            Ok(opened) => opened,
            Err(message) => {
                let mut problems = ear.problems();
                // Where diagnostics have said all, the message is empty.
                let message = message.trim();
                if problems.is_empty() && !message.is_empty() {
                    problems.push(plain(message));
                }
                return report(News::Refused { side, problems });
            }
        };
        let portraits = live.portraits(&ear);
        let text = self.text.as_deref().unwrap_or_default();
        let known: Vec<_> = portraits.iter().map(|it| cache.get(side, it, text)).collect();
        let missing = |known: &[Option<Arc<Looked>>]| -> Vec<usize> {
            (0..known.len()).filter(|&position| known[position].is_none()).collect()
        };
        let unknown = missing(&known);
        let mut unfinished: Vec<usize> = (0..known.len())
            .filter(|&at| known[at].as_ref().is_some_and(|looked| looked.is_unfinished))
            .collect();
        let problems = ear.problems();
        report(News::Opened { side, portraits: portraits.clone(), known, problems });
        let mut search = |wanted: &[usize], time: Duration| {
            let mut unfinished = Vec::new();
            let searched = live.look(wanted, time, &ear, |position, looked| {
                let looked = Arc::new(looked);
                if looked.is_unfinished {
                    unfinished.push(position);
                }
                cache.put(side, &portraits[position], &looked);
                report(News::Found { side, position, looked });
            });
            if let Err(Refusal(text)) = searched {
                report(News::Refused { side, problems: vec![plain(text.trim())] });
            }
            unfinished
        };
        let mut wanted = unknown;
        for time in SHORT.into_iter().filter(|&time| time < limit) {
            if !wanted.is_empty() && !self.is_stopped() {
                wanted = search(&wanted, time);
            }
        }
        unfinished.append(&mut wanted);
        if !unfinished.is_empty() && !self.is_stopped() {
            search(&unfinished, limit);
        }
    }

    /// The plan that `glassbox gen` or `glassbox check` would have, for looking only.
    fn plan(&self, side: Side, planner: &dyn Planner) -> Result<Plan, String> {
        let mut plan = match side {
            Side::Goals => planner.generate(&self.path)?,
            Side::Properties => planner.check(&self.path)?,
        };
        match &mut plan.task {
            Task::Generate(task) => {
                task.criteria = plan::criteria(&CRITERIA.map(str::to_owned))?;
                task.describes_lines = true;
                task.formats.clear();
                task.all = None;
                task.random = None;
            }
            Task::Check(task) => task.formats.clear(),
        }
        plan.executes = false;
        adapt(&mut plan, &self.path);
        plan.intake.overlay = self
            .text
            .as_ref()
            .map(|text| Overlay { path: self.path.clone(), text: Arc::from(text.as_bytes()) });
        Ok(plan)
    }
}

/// Makes a plan of the command line one for editors: plain texts, and the compilation database that a build system has left
/// unless another is named.
pub(crate) fn adapt(plan: &mut Plan, path: &Path) {
    plan.intake.is_colored = false;
    if plan.intake.database.is_none() && !is_java(path) {
        plan.intake.database = c::nearest_database(path);
    }
}

pub(crate) fn is_java(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "java")
}

/// Whether documents with this name are looked at.
pub(crate) fn is_source(path: &Path) -> bool {
    is_java(path) || path.extension().is_some_and(|ending| ending == "c" || ending == "i")
}

/// A problem without a place.
fn plain(message: &str) -> Problem {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    Problem { place: None, is_error: true, message: message.to_owned() }
}

/// Hears what a search says, and ends it where its result is not waited for.
pub(crate) struct Ear {
    stop: Arc<AtomicBool>,
    problems: Mutex<Vec<Problem>>,
    /// Diagnostics in words.
    words: Mutex<String>,
    /// Where it is said how far the work is: functions that are done, and all.
    progress: Option<Sender<(usize, usize)>>,
    counts: Mutex<(usize, usize)>,
}

impl Ear {
    pub(crate) fn new(stop: Arc<AtomicBool>) -> Ear {
        Ear {
            stop,
            problems: Mutex::default(),
            words: Mutex::default(),
            progress: None,
            counts: Mutex::default(),
        }
    }

    pub(crate) fn with_progress(self, progress: Sender<(usize, usize)>) -> Ear {
        Ear { progress: Some(progress), ..self }
    }

    fn problems(&self) -> Vec<Problem> {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was said about the program, for people.
    pub(crate) fn words(&self) -> String {
        self.words.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn count(&self, change: impl FnOnce(&mut (usize, usize))) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut counts);
        if let Some(progress) = &self.progress {
            // The receiver is gone where the server has ended.
            let _ = progress.send(*counts);
        }
    }
}

impl Listener for Ear {
    fn diagnostic(&self, text: &str) {
        self.words.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
    }

    fn problem(&self, problem: &Problem) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem.clone());
    }

    fn starts(&self, _: Counted, n_functions: usize) {
        self.count(|(_, all)| *all += n_functions);
    }

    fn begins(&self, _: &str) {}

    fn stands(&self, _: &str, _: Standing) {}

    fn ends(&self, _: &str, _: &FunctionReport) {
        self.count(|(done, _)| *done += 1);
    }

    fn all_ended(&self) {}

    fn report(&self, _: &Program, _: &FunctionReport) {}

    fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
