//! Ctrl-C: the first asks the work to end with what it has, a later one ends the program.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

static WATCH: OnceLock<()> = OnceLock::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What shells report for a program that an interrupt ended.
const STATUS: i32 = 130;

/// Signals so soon after the first are the same wish: `timeout` sends one to the program and one to its group, and so does
/// a terminal whose shell passes on what it gets.
const ONE_WISH: Duration = Duration::from_secs(1);

/// From now on the first interrupt only sets the flag. Every program of a run asks for it.
pub(crate) fn watch() {
    WATCH.get_or_init(|| {
        // Without a handler a signal simply ends us.
        if let Ok(signals) = Signals::new([SIGINT, SIGTERM]) {
            std::thread::spawn(move || follow(signals));
        }
    });
}

#[expect(clippy::exit, reason = "who interrupts twice wants the end at once")]
fn follow(mut signals: Signals) {
    let mut first: Option<Instant> = None;
    for _ in signals.forever() {
        INTERRUPTED.store(true, Ordering::Relaxed);
        let since = *first.get_or_insert_with(Instant::now);
        if since.elapsed() > ONE_WISH {
            std::process::exit(STATUS);
        }
    }
}

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
