//! The summary of a suite as a table that fits the terminal, whatever its width.

use std::fmt::Write;

use crate::data::{Counts, Function, SuiteData};

/// From so many functions on, those without anything open are one row.
const MANY: usize = 24;

/// The table: one row per function, those with something open first, and a total when there are several. Where the columns do not fit, each
/// function gets two lines instead. Ends in a newline.
pub fn table(data: &SuiteData, width: usize) -> String {
    let row = |function: &Function| (function.title().to_owned(), function.counts());
    // What needs somebody comes first.
    let is_open = |function: &&Function| {
        let counts = function.counts();
        counts.unknown + counts.violated > 0
    };
    let (open, decided): (Vec<_>, Vec<_>) = data.functions.iter().partition(is_open);
    let mut rows: Vec<(String, Counts)> = open.into_iter().map(row).collect();
    if data.functions.len() > MANY && decided.len() > 1 {
        let mut all = Counts::default();
        decided.iter().for_each(|function| all.add(function));
        rows.push((format!("({} others)", decided.len()), all));
    } else {
        rows.extend(decided.into_iter().map(row));
    }
    if data.functions.len() > 1 {
        rows.push(("total".to_owned(), data.counts()));
    }
    wide(&rows, width).unwrap_or_else(|| narrow(&rows, width))
}

type Column = (&'static str, fn(&Counts) -> usize);

/// Columns with their counts; those that are zero everywhere are left out when not essential.
const COLUMNS: &[(Column, bool)] = &[
    (("goals", |counts| counts.goals), true),
    (("covered", |counts| counts.covered), true),
    (("infeasible", |counts| counts.infeasible), true),
    (("within bounds", |counts| counts.infeasible_within), false),
    (("violated", |counts| counts.violated), false),
    (("holds", |counts| counts.holds + counts.holds_within), false),
    (("unknown", |counts| counts.unknown), true),
    (("tests", |counts| counts.tests), true),
];

/// `None` where the columns do not fit.
fn wide(rows: &[(String, Counts)], width: usize) -> Option<String> {
    let is_shown = |(column, is_essential): &&(Column, bool)| {
        *is_essential || rows.iter().any(|(_, counts)| column.1(counts) > 0)
    };
    let columns: Vec<Column> = COLUMNS.iter().filter(is_shown).map(|(column, _)| *column).collect();
    let numbers: usize = columns.iter().map(|(title, _)| title.len() + 2).sum();
    let longest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(8).max(8);
    let first = longest.min(width.checked_sub(numbers).filter(|room| *room >= 8)?);
    let mut out = format!("{:first$}", "function");
    for (title, _) in &columns {
        let _ = write!(out, "  {title}");
    }
    out.push('\n');
    for (name, counts) in rows {
        let _ = write!(out, "{:first$}", shortened(name, first));
        for (title, count) in &columns {
            let _ = write!(out, "  {:>1$}", count(counts), title.len());
        }
        out.push('\n');
    }
    Some(out)
}

fn narrow(rows: &[(String, Counts)], width: usize) -> String {
    let mut out = String::new();
    for (name, counts) in rows {
        let _ = writeln!(out, "{}", shortened(name, width.max(8)));
        let Counts { goals, covered, unknown, .. } = counts;
        let proved = counts.infeasible + counts.infeasible_within;
        let mut line = format!("  {covered}/{goals} covered");
        for (number, word) in
            [(proved, "proved"), (*unknown, "unknown"), (counts.violated, "violated")]
        {
            if number > 0 {
                let part = format!(", {number} {word}");
                let start = line.rfind('\n').map_or(0, |at| at + 1);
                if line[start..].chars().count() + part.len() > width {
                    line.push_str(",\n   ");
                    line.push_str(part.trim_start_matches(','));
                } else {
                    line.push_str(&part);
                }
            }
        }
        let _ = writeln!(out, "{line}");
    }
    out
}

/// At most `width` characters; a cut is marked.
fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain("…".chars()).collect()
}

#[cfg(test)]
mod tests {

    use super::table;
    use crate::data::{Function, Goal, Outcome, SuiteData};

    fn suite() -> SuiteData {
        let goal = |outcome: Outcome| Goal { outcome, ..Goal::default() };
        let function = |name: &str| Function {
            name: name.to_owned(),
            goals: vec![
                goal(Outcome::Covered { test: None }),
                goal(Outcome::Infeasible { method: None, proof: "induction".to_owned() }),
                goal(Outcome::default()),
                goal(Outcome::Violated { test: None }),
            ],
            ..Function::default()
        };
        let long = "a_function_with_a_very_long_name_that_does_not_fit_anywhere_at_all";
        SuiteData { functions: vec![function("f"), function(long)], ..SuiteData::default() }
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in [20, 40, 60, 72, 80, 200] {
            let text = table(&suite(), width);
            for line in text.lines() {
                let n_columns = line.chars().count();
                assert!(n_columns <= width.max(40), "{width}: {n_columns}: {line}");
            }
        }
    }

    #[test]
    fn what_is_open_comes_first_and_many_decided_functions_are_one_row() {
        let mut data = suite();
        let decided = |name: String| Function { name, ..Function::default() };
        let last = data.functions.pop().expect("two functions");
        data.functions.insert(0, decided("first".to_owned()));
        let few = table(&data, 80);
        let rows: Vec<&str> = few.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(rows, ["function", "f", "first", "total"], "{few}");
        data.functions.extend((0..40).map(|number| decided(format!("g{number}"))));
        data.functions.push(last);
        let many = table(&data, 120);
        assert_eq!(many.lines().count(), 5, "{many}");
        assert!(many.contains("(41 others)"), "{many}");
    }

    #[test]
    fn columns_that_are_zero_everywhere_are_left_out() {
        let text = table(&suite(), 80);
        assert!(text.contains("violated") && !text.contains("within"), "{text}");
    }
}
