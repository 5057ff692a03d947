//! `glassbox list`: the functions of files and how many goals each has.

use clap::Args;
use glassbox_coverage::criterion::Criterion;
use glassbox_driver::depends::dependencies;
use glassbox_driver::plan::{self, Mutated};
use glassbox_ir::{FuncId, Program};
use glassbox_report::suite_json::title::title;
use serde_json::json;

use crate::intake::Intake;
use crate::screen::{look_at_each, refused};
use crate::{Status, bad_input, terminal};

/// List functions and how many goals each has
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) intake: Intake,
    /// Criterion to count goals of (repeatable)
    #[arg(long, default_values = ["statement", "branch", "mcdc"])]
    criterion: Vec<String>,
    /// As JSON on standard output
    #[arg(long)]
    json: bool,
    /// Flags for the C compiler
    #[arg(last = true, value_name = "CC_FLAGS")]
    cc_flags: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let criteria: Result<Vec<_>, String> =
        arguments.criterion.iter().map(|name| plan::criterion(name)).collect();
    let criteria = match criteria {
        Ok(criteria) => criteria,
        Err(message) => return bad_input(&message),
    };
    let mut intake = arguments.intake.plan(&arguments.cc_flags);
    intake.mutated = Mutated::asked_by(&criteria, &[]);
    let mut rows: Vec<Row> = Vec::new();
    let looked = look_at_each(&intake, &[], |program, functions| {
        rows.extend(rows_of(program, functions, &criteria));
        Status::Decided
    });
    let status = match looked {
        Ok(status) => status,
        Err(refusal) => return refused(&refusal),
    };
    if arguments.json {
        print_json(&arguments.criterion, &rows);
    } else {
        print_table(&arguments.criterion, &rows);
    }
    status
}

fn rows_of(program: &Program, functions: &[FuncId], criteria: &[Box<dyn Criterion>]) -> Vec<Row> {
    let counts: Vec<Vec<usize>> =
        criteria.iter().map(|criterion| n_goals(program, functions, criterion.as_ref())).collect();
    let digests = dependencies(program, functions, None);
    let row = |(position, &function): (usize, &FuncId)| Row {
        file: file(program, function).to_owned(),
        digest: digests[position].clone(),
        name: program.function(function).name.clone(),
        title: title(program, function),
        place: place(program, function),
        goals: counts.iter().map(|counts| counts[position]).collect(),
    };
    functions.iter().enumerate().map(row).collect()
}

/// The goals of each function. Some criteria make theirs visible in the control flow first, where others would
/// count them, so each works on a copy of its own.
fn n_goals(program: &Program, functions: &[FuncId], criterion: &dyn Criterion) -> Vec<usize> {
    let mut own = program.clone();
    let count = |&function: &FuncId| {
        criterion.prepare(&mut own, function);
        criterion.goals(&own, function).len()
    };
    functions.iter().map(count).collect()
}

struct Row {
    file: String,
    /// Of the function and everything that it depends on in its program.
    digest: String,
    name: String,
    title: String,
    place: String,
    goals: Vec<usize>,
}

fn place(program: &Program, function: FuncId) -> String {
    let span = program.function(function).span;
    format!("{}:{}", file(program, function), span.line)
}

fn file(program: &Program, function: FuncId) -> &str {
    let span = program.function(function).span;
    program.files.get(span.file.index()).map_or("?", |file| file.path.as_str())
}

fn print_json(criteria: &[String], rows: &[Row]) {
    let row = |row: &Row| {
        let goals = criteria.iter().zip(&row.goals).map(|(name, n)| (name.clone(), json!(n)));
        let goals: serde_json::Map<String, serde_json::Value> = goals.collect();
        json!({
            "function": row.name,
            "file": row.file,
            "place": row.place,
            "goals": goals,
            "digest": row.digest,
        })
    };
    println!("{:#}", json!(rows.iter().map(row).collect::<Vec<_>>()));
}

/// Two lines for each function, where the table does not fit.
fn print_narrow(criteria: &[String], rows: &[Row], width: usize) {
    for row in rows {
        println!("{}", row.title);
        let goals: Vec<String> =
            criteria.iter().zip(&row.goals).map(|(name, n)| format!("{n} {name}")).collect();
        let mut line = String::from(" ");
        for (at, part) in goals.iter().enumerate() {
            let end = if at + 1 < goals.len() { "," } else { "" };
            if line.len() + part.len() + 2 > width && line.len() > 2 {
                println!("{line}");
                line = String::from(" ");
            }
            line.push_str(&format!(" {part}{end}"));
        }
        println!("{line}");
    }
}

fn print_table(criteria: &[String], rows: &[Row]) {
    let longest = rows.iter().map(|row| row.title.chars().count()).max().unwrap_or(0).max(8);
    let places = rows.iter().map(|row| row.place.chars().count()).max().unwrap_or(0);
    let columns: usize = criteria.iter().map(|name| name.len().max(5) + 2).sum();
    if longest + columns + 2 + places > terminal::width() {
        return print_narrow(criteria, rows, terminal::width());
    }
    print!("{:longest$}", "function");
    for name in criteria {
        print!("  {name:>5}");
    }
    println!("  place");
    for row in rows {
        print!("{:longest$}", row.title);
        for (name, goals) in criteria.iter().zip(&row.goals) {
            print!("  {goals:>0$}", name.len().max(5));
        }
        println!("  {}", row.place);
    }
}
