//! `glassbox report`: reports again from suite.json, without a new search.

use std::path::PathBuf;

use clap::Args;
use glassbox_driver::report_files::{self, Format};
use glassbox_replay::tools;
use glassbox_report::summary;

use crate::choice::one_of;
use crate::{Status, bad_input, planning, terminal};

/// Rebuild the reports of an earlier run from its suite.json
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Where suite.json is
    #[arg(value_name = "DIR", default_value = "glassbox-out")]
    dir: PathBuf,
    /// Which reports
    #[arg(
        long,
        value_parser = one_of::<Format>(),
        value_delimiter = ',',
        default_value = "html,lcov,cobertura,sarif,junit"
    )]
    format: Vec<Format>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let data = match report_files::read_suite(&arguments.dir) {
        Ok(suite) => suite,
        Err(message) => return bad_input(&message),
    };
    let folder = if arguments.dir.is_dir() {
        arguments.dir.clone()
    } else {
        arguments.dir.parent().map(PathBuf::from).unwrap_or_default()
    };
    match report_files::write(&folder, (&data, None), &arguments.format, &planning::environment()) {
        Ok(written) => {
            print!("{}", summary::table(&data, terminal::width()));
            for path in &written {
                println!("{}", path.display());
            }
        }
        Err(message) => return bad_input(&message),
    }
    let page = folder.join("report").join("index.html");
    if arguments.open && !tools::open(&page) {
        return bad_input(&format!("no program to open {} was found", page.display()));
    }
    let counts = data.counts();
    if counts.violated > 0 {
        Status::Violated
    } else if counts.unknown > 0 {
        Status::Unknown
    } else {
        Status::Decided
    }
}
