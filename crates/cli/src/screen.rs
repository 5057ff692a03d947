//! What people see while a plan is carried out: diagnostics, progress, one result after the other.

use std::sync::{Mutex, MutexGuard, PoisonError};

use glassbox_driver::listener::{Counted, Standing};
use glassbox_driver::{FunctionReport, Listener, Refusal};
use glassbox_ir::Program;

use crate::progress::Progress;
use crate::{Status, interrupt};

/// Shows a function's report on standard output.
type Show<'a> = &'a (dyn Fn(&Program, &FunctionReport) + Sync);

/// A listener that prints.
pub(crate) struct Screen<'a> {
    show: Show<'a>,
    /// While functions are worked on.
    progress: Mutex<Option<Progress>>,
}

impl<'a> Screen<'a> {
    pub(crate) fn new(show: Show<'a>) -> Screen<'a> {
        Screen { show, progress: Mutex::new(None) }
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

/// Says why nothing was done.
pub(crate) fn refused(refusal: &Refusal) -> Status {
    eprint!("{}", refusal.0);
    Status::BadInput
}

impl Listener for Screen<'_> {
    fn diagnostic(&self, text: &str) {
        eprint!("{text}");
    }

    fn starts(&self, counted: Counted, n_functions: usize) {
        interrupt::watch();
        *self.progress() = Some(Progress::start(counted, n_functions));
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
