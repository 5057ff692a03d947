//! Ctrl-C: the first asks the work to end with what it has, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// What shells report for a program that an interrupt ended.
const STATUS: i32 = 130;

/// From now on the first interrupt only sets the flag. Every program of a run asks for it.
pub(crate) fn watch() {
    let mut is_new = false;
    let interrupted = INTERRUPTED.get_or_init(|| {
        is_new = true;
        Arc::default()
    });
    // A second pair of handlers would take the first interrupt for the second.
    if !is_new {
        return;
    }
    for signal in [SIGINT, SIGTERM] {
        // Order matters: the second signal finds the flag set. Without handlers a signal simply ends us.
        let _ = flag::register_conditional_shutdown(signal, STATUS, Arc::clone(interrupted));
        let _ = flag::register(signal, Arc::clone(interrupted));
    }
}

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}
