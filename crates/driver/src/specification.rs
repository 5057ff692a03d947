//! Specifications as SV-COMP writes them: by name (`no-overflow`), or in files of lines such as
//! `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use std::collections::BTreeSet;
use std::path::Path;

use glassbox_coverage::{Asked, Specification};

/// Names of `--property` beside files, in the order of help texts.
pub const NAMES: &[&str] = &[
    "unreach-call",
    "no-overflow",
    "valid-memsafety",
    "valid-deref",
    "valid-free",
    "valid-memtrack",
    "valid-memcleanup",
    "termination",
];

/// What is demanded, and of which runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Task {
    /// Where a file says that runs start.
    pub entry: Option<String>,
    demands: BTreeSet<Specification>,
}

impl Task {
    pub fn asked(&self) -> Asked {
        Asked::Specified(self.demands.clone())
    }

    /// The demands of these names and files together; a message about the first that is none.
    pub fn of(words: &[String]) -> Result<Task, String> {
        let mut task = Task::default();
        for word in words {
            if word.ends_with(".prp") {
                let text = std::fs::read_to_string(Path::new(word))
                    .map_err(|error| format!("{word}: {error}"))?;
                task.add_file(word, &text)?;
            } else {
                task.add_name(word)?;
            }
        }
        Ok(task)
    }

    fn add_name(&mut self, name: &str) -> Result<(), String> {
        let demands = match name {
            "unreach-call" => {
                let call = |name: &str| Specification::UnreachCall(name.to_owned());
                vec![call("reach_error"), call("__VERIFIER_error")]
            }
            "no-overflow" => vec![Specification::NoOverflow],
            "valid-memsafety" => vec![
                Specification::ValidDeref,
                Specification::ValidFree,
                Specification::ValidMemtrack,
            ],
            "valid-deref" => vec![Specification::ValidDeref],
            "valid-free" => vec![Specification::ValidFree],
            "valid-memtrack" => vec![Specification::ValidMemtrack],
            "valid-memcleanup" => vec![Specification::ValidMemcleanup],
            "termination" => vec![Specification::Termination],
            "no-data-race" => return Err(NO_THREADS.to_owned()),
            _ => {
                let known = NAMES.join(", ");
                return Err(format!(
                    "no property `{name}`; there are: {known}, and files that end in .prp"
                ));
            }
        };
        self.demands.extend(demands);
        Ok(())
    }

    fn add_file(&mut self, file: &str, text: &str) -> Result<(), String> {
        let lines = (1u32..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
        let mut n_demands = 0;
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let (entry, formula) =
                line_of(line).map_err(|message| format!("{file}:{number}: {message}"))?;
            if self.entry.as_deref().is_some_and(|known| known != entry) {
                return Err(format!("{file}:{number}: runs start in one function only"));
            }
            self.entry = Some(entry);
            let demand =
                demand(&formula).map_err(|message| format!("{file}:{number}: {message}"))?;
            self.demands.insert(demand);
            n_demands += 1;
        }
        if n_demands == 0 {
            return Err(format!("{file}: no line says `CHECK( init(main()), LTL(...) )`"));
        }
        Ok(())
    }
}

const NO_THREADS: &str = "data races are not looked for: threads are not modeled";

/// The function where runs start, and the formula, without blanks.
fn line_of(line: &str) -> Result<(String, String), String> {
    let plain: String = line.split_whitespace().collect();
    if plain.starts_with("COVER(") {
        return Err("`COVER` asks for tests: `glassbox gen` makes them".to_owned());
    }
    let inner = plain.strip_prefix("CHECK(init(").and_then(|rest| rest.strip_suffix("))"));
    let parts = inner.and_then(|inner| inner.split_once("()),LTL("));
    match parts {
        Some((entry, formula)) => Ok((entry.to_owned(), formula.to_owned())),
        None => Err("expected `CHECK( init(main()), LTL(...) )`".to_owned()),
    }
}

fn demand(formula: &str) -> Result<Specification, String> {
    let called = formula.strip_prefix("G!call(").and_then(|rest| rest.strip_suffix("())"));
    if let Some(name) = called {
        return Ok(Specification::UnreachCall(name.to_owned()));
    }
    match formula {
        "G!overflow" => Ok(Specification::NoOverflow),
        "Gvalid-deref" => Ok(Specification::ValidDeref),
        "Gvalid-free" => Ok(Specification::ValidFree),
        "Gvalid-memtrack" => Ok(Specification::ValidMemtrack),
        "Gvalid-memcleanup" => Ok(Specification::ValidMemcleanup),
        "Fend" => Ok(Specification::Termination),
        "G!data-race" => Err(NO_THREADS.to_owned()),
        other => Err(format!("the formula `{other}` is none of SV-COMP's that are known")),
    }
}

#[cfg(test)]
mod tests {
    use super::Task;
    use glassbox_coverage::{Asked, Specification};

    fn read(text: &str) -> Result<Task, String> {
        let mut task = Task::default();
        task.add_file("p.prp", text).map(|()| task)
    }

    fn demands(task: &Task) -> Vec<Specification> {
        match task.asked() {
            Asked::Specified(list) => list.into_iter().collect(),
            other @ (Asked::Everything | Asked::Assertions | Asked::Relations) => {
                panic!("{other:?}")
            }
        }
    }

    #[test]
    fn the_lines_of_sv_comp_are_read() {
        let memory = "CHECK( init(main()), LTL(G valid-free) )\n\
                      CHECK( init(main()), LTL(G valid-deref) )\n\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        let task = read(memory).expect("three lines");
        assert_eq!(task.entry.as_deref(), Some("main"));
        assert_eq!(
            demands(&task),
            [Specification::ValidDeref, Specification::ValidFree, Specification::ValidMemtrack]
        );
        let by_name = Task::of(&["valid-memsafety".to_owned()]).expect("a name");
        assert_eq!(demands(&by_name), demands(&task));
        let one = |line: &str| demands(&read(line).expect("a line"));
        assert_eq!(
            one("CHECK( init(main()), LTL(G ! call(reach_error())) )"),
            [Specification::UnreachCall("reach_error".to_owned())]
        );
        assert_eq!(one("CHECK(init(main()),LTL(G ! overflow))"), [Specification::NoOverflow]);
        assert_eq!(one("CHECK( init(main()), LTL(F end) )"), [Specification::Termination]);
    }

    #[test]
    fn what_is_not_understood_is_refused_by_name() {
        let refused = |text: &str| read(text).expect_err("refused");
        assert_eq!(
            refused("CHECK( init(main()), LTL(G ! data-race) )"),
            "p.prp:1: data races are not looked for: threads are not modeled"
        );
        assert!(refused("CHECK( init(main()), LTL(G def-behavior) )").contains("Gdef-behavior"));
        assert!(refused("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )").contains("gen"));
        assert!(refused("").contains("no line"));
        assert!(Task::of(&["no-data-race".to_owned()]).is_err());
        let unknown = Task::of(&["no-bugs".to_owned()]).expect_err("unknown");
        assert!(unknown.contains("valid-memcleanup, termination, and files"), "{unknown}");
    }
}
