//! The same once more whenever a file is saved.

use std::time::Duration;

use glassbox_driver::stamps::stamps;

use crate::intake::Intake;
use crate::{Status, interrupt};

/// How often files are looked at.
const TICK: Duration = Duration::from_millis(300);

/// Does `work`, and again after every change, until the user interrupts.
pub(crate) fn watch(intake: &Intake, work: impl Fn() -> Status) -> Status {
    interrupt::watch();
    loop {
        let before = stamps(intake.near());
        let status = work();
        if interrupt::is_interrupted() {
            return status;
        }
        eprintln!("glassbox: waiting for a change (Ctrl-C ends)");
        while stamps(intake.near()) == before {
            std::thread::sleep(TICK);
            if interrupt::is_interrupted() {
                return status;
            }
        }
    }
}
