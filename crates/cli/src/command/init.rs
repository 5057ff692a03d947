//! `glassbox init`: a glassbox.toml that explains itself.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::{Status, bad_input};

/// Write a commented glassbox.toml to begin with
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Where to write it
    #[arg(value_name = "FILE", default_value = "glassbox.toml")]
    path: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
}

/// Everything is commented out: an untouched file changes nothing.
pub(crate) const TEMPLATE: &str = include_str!("init/glassbox.toml");

pub(crate) fn run(arguments: &Arguments) -> Status {
    let mut options = OpenOptions::new();
    options.write(true);
    if arguments.force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let path = arguments.path.display();
    let outcome =
        options.open(&arguments.path).and_then(|mut file| file.write_all(TEMPLATE.as_bytes()));
    match outcome {
        Ok(()) => {
            println!("wrote {path}: uncomment what you need");
            Status::Decided
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            bad_input(&format!("{path} is already there\nhelp: --force replaces it"))
        }
        Err(error) => bad_input(&format!("{path}: {error}")),
    }
}
