//! `glassbox explain`: one goal in words.

use std::path::PathBuf;

use clap::Args;
use glassbox_driver::report_files::read_suite;
use glassbox_report::explain;

use crate::{Status, bad_input};

/// Explain why a goal is covered, infeasible or unknown
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A goal's id, a part of it, or FILE:LINE
    #[arg(value_name = "GOAL")]
    goal: String,
    /// Where suite.json is
    #[arg(value_name = "DIR", default_value = "glassbox-out")]
    dir: PathBuf,
}

/// Goals that are explained at once; more would not be read.
const MAX_GOALS: usize = 20;

pub(crate) fn run(arguments: &Arguments) -> Status {
    let data = match read_suite(&arguments.dir) {
        Ok(data) => data,
        Err(message) => return bad_input(&message),
    };
    let mut found = explain::find(&data, &arguments.goal);
    found.sort_by_key(|(_, goal)| explain::rank(goal));
    if found.is_empty() {
        let (goal, dir) = (&arguments.goal, arguments.dir.display());
        let help = format!("help: goals look like `{}`", example(&data));
        return bad_input(&format!("no goal `{goal}` in {dir}\n{help}"));
    }
    let shown = found.get(..MAX_GOALS).unwrap_or(&found);
    for (number, (function, goal)) in shown.iter().enumerate() {
        if number > 0 {
            println!();
        }
        print!("{}", explain::explain(&data, function, goal));
    }
    for function in
        data.functions.iter().filter(|it| shown.iter().any(|(of, _)| of.name == it.name))
    {
        let granted = explain::granted(function);
        let gap = if shown.len() > 1 && !granted.is_empty() { "\n" } else { "" };
        print!("{gap}{granted}");
    }
    if found.len() > MAX_GOALS {
        println!("\n… and {} more goals: say more of the id", found.len() - MAX_GOALS);
    }
    Status::Decided
}

fn example(data: &glassbox_report::data::SuiteData) -> String {
    let first = data.functions.iter().flat_map(|function| &function.goals).next();
    first.map_or("function/branch/12:9/true".to_owned(), |goal| goal.id.clone())
}
