//! `glassbox completions` and `glassbox man`: what shells and `man` want to know about the command line.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::{Status, bad_input};

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, in roff
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// Of this command instead of the whole tool
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, mut definition: Command) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut definition, "glassbox", &mut script);
    written(&script)
}

pub(crate) fn manual(arguments: &ManArguments, definition: Command) -> Status {
    let page = match &arguments.command {
        None => definition,
        Some(name) => match definition.find_subcommand(name) {
            Some(found) => found.clone().display_name(format!("glassbox-{name}")),
            None => return bad_input(&format!("no command `{name}`")),
        },
    };
    let mut roff = Vec::new();
    if clap_mangen::Man::new(page).render(&mut roff).is_err() {
        return bad_input("the manual page could not be made");
    }
    written(&roff)
}

/// A reader that went away, such as `head`, is not an error.
fn written(bytes: &[u8]) -> Status {
    let _ = std::io::stdout().write_all(bytes);
    Status::Decided
}
