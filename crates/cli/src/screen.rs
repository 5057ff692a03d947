//! What people see while a plan is carried out: diagnostics, progress, one result after the other.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use glassbox_driver::language::{self, Purpose, Selection};
use glassbox_driver::listener::{Counted, Standing};
use glassbox_driver::plan::Intake;
use glassbox_driver::{FunctionReport, Listener, Refusal};
use glassbox_ir::{FuncId, Program};

use crate::progress::Progress;
use crate::{Status, interrupt};

/// Shows a function's report on standard output.
type Show<'a> = &'a (dyn Fn(&Program, &FunctionReport) + Sync);

/// A listener that prints.
pub(crate) struct Screen<'a> {
    show: Show<'a>,
    /// While functions are worked on.
    progress: Mutex<Option<Progress>>,
    /// How many programs there are, where there are several.
    files: AtomicUsize,
}

impl<'a> Screen<'a> {
    pub(crate) fn new(show: Show<'a>) -> Screen<'a> {
        Screen { show, progress: Mutex::new(None), files: AtomicUsize::new(1) }
    }

    /// Usable even if a thread panicked while holding it.
    fn progress(&self) -> MutexGuard<'_, Option<Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A listener for commands that only read programs.
pub(crate) fn reading() -> Screen<'static> {
    Screen::new(&|_, _| {})
}

/// Reads one program after the other and looks at each; the last status that is not good counts. A program that cannot
/// be read is reported and leaves something unknown.
pub(crate) fn look_at_each(
    intake: &Intake,
    names: &[String],
    mut look: impl FnMut(&Program, &[FuncId]) -> Status,
) -> Result<Status, Refusal> {
    let screen = reading();
    let parts = language::parts(intake, Purpose::Look, &screen)?;
    let is_partial = parts.len() > 1;
    let mut status = Status::Decided;
    let mut left_out = Vec::new();
    for part in &parts {
        let read = (part.read)(Purpose::Look, &screen).and_then(|language| {
            let functions =
                language::select(&*language, Selection { names, place: &part.name, is_partial })?;
            Ok((language, functions))
        });
        match read {
            Ok((language, functions)) => {
                left_out.extend_from_slice(language.left_out());
                let found = look(language.program(), &functions);
                if found != Status::Decided {
                    status = found;
                }
            }
            Err(refusal) if is_partial => {
                eprint!("{}", refusal.0);
                left_out.push(part.name.clone());
            }
            Err(refusal) => return Err(refusal),
        }
    }
    report_left_out(&left_out);
    Ok(if left_out.is_empty() {
        status
    } else if left_out.len() == parts.len() && is_partial {
        Status::BadInput
    } else {
        Status::Unknown
    })
}

/// Names the files that could not be read.
pub(crate) fn report_left_out(files: &[String]) {
    if let [_, ..] = files {
        let noun = if files.len() == 1 { "file" } else { "files" };
        eprintln!("{} {noun} could not be read: {}", files.len(), files.join(", "));
    }
}

/// Says why nothing was done.
pub(crate) fn refused(refusal: &Refusal) -> Status {
    eprint!("{}", refusal.0);
    Status::BadInput
}

impl Listener for Screen<'_> {
    fn diagnostic(&self, text: &str) {
        match &*self.progress() {
            Some(progress) => progress.aside(|| eprint!("{text}")),
            None => eprint!("{text}"),
        }
    }

    fn reads(&self, program: &str, position: usize, n_programs: usize) {
        let say = || eprintln!("glassbox: file {}/{n_programs} {program}", position + 1);
        match &*self.progress() {
            Some(progress) => progress.aside(say),
            None => say(),
        }
        self.files.store(n_programs, Ordering::Relaxed);
    }

    fn starts(&self, counted: Counted, n_functions: usize) {
        interrupt::watch();
        let n_files = self.files.load(Ordering::Relaxed);
        let mut progress = self.progress();
        let progress = progress.get_or_insert_with(|| Progress::start(counted, n_files));
        progress.add(n_functions);
    }

    fn begins(&self, function: &str) {
        if let Some(progress) = &*self.progress() {
            progress.begin(function);
        }
    }

    fn stands(&self, function: &str, standing: Standing) {
        if let Some(progress) = &*self.progress() {
            progress.stands(function, standing);
        }
    }

    fn ends(&self, function: &str, report: &FunctionReport) {
        if let Some(progress) = &*self.progress() {
            progress.end(function, report.verdicts(), report.suite.tests.len());
        }
    }

    fn all_ended(&self) {
        *self.progress() = None;
    }

    fn report(&self, program: &Program, report: &FunctionReport) {
        match &*self.progress() {
            Some(progress) => progress.aside(|| (self.show)(program, report)),
            None => (self.show)(program, report),
        }
    }

    fn is_interrupted(&self) -> bool {
        interrupt::is_interrupted()
    }
}
