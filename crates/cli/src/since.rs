//! What has changed since a revision of the user's files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use glassbox_driver::plan::{Intake, Plan};
use glassbox_driver::revision::Revision;
use glassbox_driver::since::{self, Named};

use crate::screen::reading;

/// Functions that are not as they were in a revision.
pub(crate) fn changed(revision: &str, plan: &Plan) -> Result<BTreeSet<Named>, String> {
    let older = Revision::of(revision)?;
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let digests = |intake: &Intake| since::digests(intake, plan.task.purpose(), &reading());
    let new = digests(&plan.intake).map_err(|refusal| refusal.0)?;
    let moved = |paths: &[PathBuf]| paths.iter().map(|path| older.moved(path)).collect();
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let then = Intake {
        paths: moved(&plan.intake.paths),
        links: moved(&plan.intake.links),
        class_path: moved(&plan.intake.class_path),
        config: plan.intake.config.as_deref().map(|path| older.moved(path)),
        // What the build left is there today only.
        database: plan.intake.database.as_ref().map(absolute),
        moved_to: Some(older.place()),
        ..plan.intake.clone()
    };
    // Names of files are the same there, as seen from the same place.
    let old = within(&older.folder(), &here, || digests(&then))?;
    // What was not there then is new.
    Ok(since::changed(&old.unwrap_or_default(), &new))
}

fn within<T>(folder: &Path, back: &Path, work: impl FnOnce() -> T) -> Result<T, String> {
    let go = |to: &Path| {
        std::env::set_current_dir(to).map_err(|error| format!("{}: {error}", to.display()))
    };
    go(folder)?;
    let result = work();
    go(back)?;
    Ok(result)
}
