//! Which functions have changed since another version of the same files.

use std::collections::{BTreeMap, BTreeSet};

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
        let Ok(language) = (part.read)(purpose, listener) else { continue };
        let selection = Selection { names: &[], place: &part.name, is_partial: true };
        let functions = language::select(&*language, selection)?;
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
