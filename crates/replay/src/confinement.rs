//! What a child process may touch: its own folder, nothing else, by the kernel's Landlock.
//!
//! A thread that confines itself stays confined with all processes it starts, so the rest of this program
//! keeps its rights. Files can be read everywhere (programs need their libraries) and written in one
//! folder; TCP connections and signals to processes outside are refused. Kernels without Landlock confine
//! less or nothing; limits on time, memory and file size hold everywhere.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};

/// Confines this thread and what it starts; whether the kernel does so at least in part.
pub(crate) fn confine_thread(folder: &Path) -> Result<bool, RulesetError> {
    let abi = ABI::V6;
    let status = Ruleset::default()
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?
        .add_rules(path_beneath_rules(["/"], AccessFs::from_read(abi)))?
        .add_rules(path_beneath_rules([folder], AccessFs::from_all(abi)))?
        .add_rules(path_beneath_rules(
            ["/dev/null", "/dev/zero", "/dev/full"],
            AccessFs::ReadFile | AccessFs::WriteFile,
        ))?
        .restrict_self()?;
    Ok(status.ruleset != RulesetStatus::NotEnforced)
}
