//! Test-Comp's exchange format for test suites (version 1.1): `metadata.xml` and one `testcase-N.xml` per
//! test that calls `main`, whose inputs are what `__VERIFIER_nondet_*` calls give back, in order.
//!
//! Integers are decimal and inside their type, floats hexadecimal; other inputs have no place in the
//! format. Only runs of whole programs can be exchanged: tests that call other functions are left out.

use crate::data::{Function, GoalKind, SuiteData, Test, Value};
use crate::sha256;
use crate::xml::escape;

/// A file of the suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteFile {
    pub name: String,
    pub text: String,
}

/// Why there is no suite to exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    NoMain,
    /// The source could not be read when the suite was made.
    NoSource,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Obstacle::NoMain => {
                "testcomp: the format is about whole programs, and there is no `main`"
            }
            Obstacle::NoSource => "testcomp: the text of the program is not known",
        })
    }
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";
const PREFIX: &str = "__VERIFIER_nondet_";

/// The files of the suite; `epoch` is the creation time in seconds.
pub fn suite(data: &SuiteData, epoch: u64) -> Result<Vec<SuiteFile>, Obstacle> {
    let main = data.functions.iter().find(|function| function.name == "main");
    let main = main.ok_or(Obstacle::NoMain)?;
    let path = main.file.as_deref().ok_or(Obstacle::NoSource)?;
    let source = data.sources.iter().find(|source| source.path == path);
    let text = source.and_then(|source| source.text.as_deref()).ok_or(Obstacle::NoSource)?;
    let name = "metadata.xml".to_owned();
    let mut files = vec![SuiteFile { name, text: metadata(data, main, path, text, epoch) }];
    // A program without input still needs a test to be run at all.
    let no_inputs = Vec::new();
    let mut cases: Vec<Vec<String>> = Vec::new();
    for function in &data.functions {
        let calls_main = |test: &&Test| test.through.as_ref().unwrap_or(&function.name) == "main";
        // Functions behind `main` may need the same runs.
        for case in function.tests.iter().filter(calls_main).map(inputs) {
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
    }
    let cases = if cases.is_empty() { vec![no_inputs] } else { cases };
    for (number, case) in cases.iter().enumerate() {
        let name = format!("testcase-{}.xml", number + 1);
        files.push(SuiteFile { name, text: testcase(case) });
    }
    Ok(files)
}

fn metadata(data: &SuiteData, main: &Function, path: &str, text: &str, epoch: u64) -> String {
    let mut out = format!(
        "{HEAD}<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata \
         1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n<test-metadata>\n"
    );
    let producer = format!("{} {}", data.tool.name, data.tool.version);
    let hash = sha256::hex(text.as_bytes());
    let created = timestamp(epoch);
    for (element, content) in [
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", specification(main)),
        ("programfile", path),
        ("programhash", &hash),
        ("entryfunction", "main"),
        ("architecture", "64bit"),
        ("creationtime", &created),
    ] {
        out.push_str(&format!("  <{element}>{}</{element}>\n", escape(content)));
    }
    out.push_str("</test-metadata>\n");
    out
}

/// What the suite covers, in Test-Comp's words; the first criterion decides.
fn specification(main: &Function) -> &'static str {
    match main.goals.first().and_then(|goal| goal.kind.known()) {
        Some(GoalKind::Statement) => "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )",
        Some(GoalKind::Condition | GoalKind::Mcdc(_)) => {
            "COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )"
        }
        Some(
            GoalKind::Branch
            | GoalKind::Decision
            | GoalKind::Instruction
            | GoalKind::DefUse
            | GoalKind::Path
            | GoalKind::Exception
            | GoalKind::Boundary
            | GoalKind::Assert
            | GoalKind::Mutation
            | GoalKind::WeakMutation
            | GoalKind::Rule
            | GoalKind::Property(_),
        )
        | None => "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
    }
}

/// What nondeterministic functions give back in one test.
fn inputs(test: &Test) -> Vec<String> {
    let own = test.inputs.stubs.iter().filter(|stub| stub.function.starts_with(PREFIX));
    own.filter_map(|stub| match &stub.result {
        None | Some(Value::Null) => Some("0".to_owned()),
        Some(value) => value.scalar().map(str::to_owned),
    })
    .collect()
}

fn testcase(inputs: &[String]) -> String {
    let mut out = format!(
        "{HEAD}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
         \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n"
    );
    for input in inputs {
        out.push_str(&format!("  <input>{}</input>\n", escape(input)));
    }
    out.push_str("</testcase>\n");
    out
}

/// Seconds since 1970 as `2026-01-31T12:00:00Z` (days to civil dates after Hinnant).
pub(crate) fn timestamp(epoch: u64) -> String {
    let (days, seconds) = (epoch / 86_400, epoch % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn dates_are_the_calendars() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(1_769_860_800), "2026-01-31T12:00:00Z");
    }
}
