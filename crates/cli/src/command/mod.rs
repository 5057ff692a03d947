//! The commands, one per file.

pub(crate) mod audit;
pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod dump;
pub(crate) mod equiv;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod lsp;
pub(crate) mod merge;
pub(crate) mod mutate;
pub(crate) mod quality;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod solve;
