//! The summary of a suite as Markdown: for summaries of CI jobs and comments on changes.
//!
//! Counts first, then what is violated and what is not decided, by place; long lists are cut, since hosts limit the size.

use std::fmt::Write;

use crate::data::{Function, Goal, Outcome, SuiteData, Task};

/// Places that are listed of each kind.
const MOST: usize = 50;

/// The whole text.
pub fn markdown(data: &SuiteData) -> String {
    let counts = data.counts();
    let what = match data.task {
        Task::Check => "properties",
        Task::Generate => "goals",
    };
    let functions = data.functions.len();
    let mut out = format!(
        "### Glassbox\n\n{} {what} of {functions} function{}, {} tests.\n\n| verdict | number |\n|---|---:|\n",
        counts.goals,
        if functions == 1 { "" } else { "s" },
        counts.tests
    );
    let rows = [
        ("violated", counts.violated),
        ("unknown", counts.unknown),
        ("covered", counts.covered),
        ("infeasible", counts.infeasible),
        ("infeasible within bounds", counts.infeasible_within),
        ("holds", counts.holds),
        ("holds within bounds", counts.holds_within),
    ];
    for (verdict, number) in rows.iter().filter(|(_, number)| *number > 0) {
        let _ = writeln!(out, "| {verdict} | {number} |");
    }
    list(&mut out, data, "Violated", |outcome| matches!(outcome, Outcome::Violated { .. }));
    list(&mut out, data, "Not decided", |outcome| matches!(outcome, Outcome::Unknown { .. }));
    out
}

fn list(out: &mut String, data: &SuiteData, title: &str, is_listed: fn(&Outcome) -> bool) {
    let counts = |goal: &&Goal| goal.dismissed.is_none() && is_listed(&goal.outcome);
    let goals_of = |function: &'_ Function| function.goals.iter().filter(counts).count();
    let number: usize = data.functions.iter().map(goals_of).sum();
    if number == 0 {
        return;
    }
    let _ = write!(out, "\n**{title}**\n\n");
    let all = data.functions.iter().flat_map(|function| {
        function.goals.iter().filter(counts).map(move |goal| (function, goal))
    });
    for (function, goal) in all.take(MOST) {
        let file = goal.file.as_deref().or(function.file.as_deref()).unwrap_or("?");
        let place = code(&format!("{file}:{}", goal.line));
        let _ = write!(out, "- {place} {}: {}", code(function.title()), text(&goal.text));
        if let Outcome::Unknown { reason } = &goal.outcome {
            let _ = write!(out, " ({})", text(&reason.text));
        }
        out.push('\n');
    }
    if number > MOST {
        let _ = writeln!(out, "- and {} more", number - MOST);
    }
}

fn code(words: &str) -> String {
    format!("`{}`", words.replace('`', "'").replace('\n', " "))
}

/// What the program spells is no markup.
fn text(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for character in words.chars() {
        match character {
            '\n' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' | '&' => {
                out.push('\\');
                out.push(character);
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::markdown;
    use crate::data::read;

    #[test]
    fn problems_are_listed_and_words_of_the_program_are_no_markup() {
        let goal = |verdict: &str, text: &str| {
            json!({ "id": text, "kind": "branch", "file": "a.c", "line": 3, "verdict": verdict, "text": text,
                "test": "t", "proof": "", "reason": { "code": "budget", "text": "2000 paths" } })
        };
        let mut dismissed = goal("violated", "seen");
        dismissed["dismissed"] = json!("looked at");
        let suite = json!({ "format": crate::data::FORMAT, "task": "check", "functions": [{
            "name": "f`g", "file": "a.c", "line": 2,
            "goals": [goal("violated", "*p < <b>q</b>"), goal("unknown", "a_b"), goal("holds", "fine"), dismissed],
        }] });
        let found = markdown(&read(&suite.to_string()).expect("a suite"));
        expect![[r#"
            ### Glassbox

            4 properties of 1 function, 0 tests.

            | verdict | number |
            |---|---:|
            | violated | 2 |
            | unknown | 1 |
            | holds | 1 |

            **Violated**

            - `a.c:3` `f'g`: \*p \< \<b\>q\</b\>

            **Not decided**

            - `a.c:3` `f'g`: a\_b (2000 paths)
        "#]]
        .assert_eq(&found);
    }

    #[test]
    fn long_lists_are_cut() {
        let goal = json!({ "id": "x", "kind": "branch", "verdict": "unknown", "text": "x",
            "reason": { "code": "budget", "text": "" } });
        let goals = vec![goal; 60];
        let suite = json!({ "format": crate::data::FORMAT, "functions": [{ "name": "f", "goals": goals }] });
        let found = markdown(&read(&suite.to_string()).expect("a suite"));
        assert!(found.contains("\n- and 10 more\n"), "{found}");
    }
}
