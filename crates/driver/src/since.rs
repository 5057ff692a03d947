//! Which functions have changed since another version of the same files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use glassbox_ir::{FuncId, Program};

use crate::depends::dependencies;
use crate::language::{self, Purpose, Refusal, Selection};
use crate::listener::Listener;
use crate::plan::Intake;

/// A function by its file and its name.
pub type Named = (String, String);

/// What functions depend on, as digests. Files that cannot be read have none.
pub fn digests(
    intake: &Intake,
    purpose: Purpose,
    listener: &dyn Listener,
) -> Result<BTreeMap<Named, Vec<String>>, Refusal> {
    let parts = language::parts(intake, purpose, listener)?;
    let mut found: BTreeMap<Named, Vec<String>> = BTreeMap::new();
    for part in &parts {
        let Ok(mut language) = (part.read)(purpose, listener) else { continue };
        let selection = Selection { names: &[], place: &part.name, is_partial: true };
        let functions = language::select(&*language, selection)?;
        if let Some(revision) = &intake.moved_to {
            // Names of files are part of what functions depend on.
            for file in &mut language.parts_mut().0.files {
                if let Some(today) = revision.today(Path::new(&file.path)) {
                    file.path = today.display().to_string();
                }
            }
        }
        let program = language.program();
        let digests = dependencies(program, &functions, language.config());
        for (&function, digest) in functions.iter().zip(digests) {
            found.entry(named(program, function)).or_default().push(digest);
        }
    }
    Ok(found)
}

/// Functions that are new or depend on something else.
pub fn changed(
    old: &BTreeMap<Named, Vec<String>>,
    new: &BTreeMap<Named, Vec<String>>,
) -> BTreeSet<Named> {
    let is_changed = |(name, digests): &(&Named, &Vec<String>)| old.get(*name) != Some(*digests);
    new.iter().filter(is_changed).map(|(name, _)| name.clone()).collect()
}

pub(crate) fn named(program: &Program, function: FuncId) -> Named {
    let declared = program.function(function);
    let file = program.files.get(declared.span.file.index());
    (file.map(|file| file.path.clone()).unwrap_or_default(), declared.name.clone())
}
