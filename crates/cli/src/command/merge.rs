//! `glassbox merge`: the parts of a run become what the whole run leaves.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use glassbox_driver::shard;

use crate::planning::Merged;
use crate::{Command, Status, bad_input, try_arguments};

/// Put the parts of `gen --shard I/N` or `check --shard I/N` together: what is left is what the whole run leaves
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folders of all parts, in any order
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Where suite.json, tests/ and reports go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let parts = match shard::parts(&arguments.folders, |command| whole(command, "")) {
        Ok(parts) => parts,
        Err(message) => return bad_input(&message),
    };
    if arguments.folders.contains(&arguments.out) {
        return bad_input("--out names the folder of a part: name another");
    }
    let command = whole(&parts.command, &arguments.out.to_string_lossy());
    let typed: Vec<OsString> = command.iter().map(OsString::from).collect();
    let merged = Some(Merged { parts, command });
    match try_arguments(typed) {
        Ok(parsed) => {
            let mut command = parsed.command;
            if let Command::Gen(again) = &mut command {
                again.planning.merged = merged;
                super::generate::run(again)
            } else if let Command::Check(again) = &mut command {
                again.planning.merged = merged;
                super::check::run(again)
            } else {
                bad_input("these are no parts of gen or check")
            }
        }
        Err(wrong) => {
            eprint!("{wrong}");
            Status::BadInput
        }
    }
}

/// What the whole run would be asked: no part, and another folder.
fn whole(command: &[String], out: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut has_out, mut is_for_compiler) = (false, false);
    let mut rest = command.iter();
    while let Some(word) = rest.next() {
        is_for_compiler |= word == "--";
        let name = word.split('=').next().unwrap_or_default();
        match name {
            "--shard" | "--shard-times" | "--shard-earlier" if !is_for_compiler => {
                if name == word {
                    rest.next();
                }
            }
            "--out" if !is_for_compiler => {
                has_out = true;
                if name == word {
                    rest.next();
                    words.extend(["--out".to_owned(), out.to_owned()]);
                } else {
                    words.push(format!("--out={out}"));
                }
            }
            _ => words.push(word.clone()),
        }
    }
    if !has_out {
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        words.splice(end..end, ["--out".to_owned(), out.to_owned()]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn the_command_of_a_part_becomes_that_of_the_whole() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        for (part, all) in [
            ("glassbox gen a.c --shard 1/4 --out s1", "glassbox gen a.c --out all"),
            ("glassbox gen --out=s1 --shard=2/4 a.c", "glassbox gen --out=all a.c"),
            (
                "glassbox gen a.c --shard 1/2 -- --shard x",
                "glassbox gen a.c --out all -- --shard x",
            ),
            ("glassbox check --shard-times t --shard 1/1 a.c", "glassbox check a.c --out all"),
            ("glassbox gen --shard-earlier all --shard 1/1 a.c", "glassbox gen a.c --out all"),
        ] {
            assert_eq!(whole(&words(part), "all"), words(all));
        }
    }
}
