//! What gcov counts: lines that the tests really executed, where probes cannot see (statements, cases).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::sandbox::{Limits, run};

/// The flag that makes the compiler count.
pub const FLAG: &str = "--coverage";

/// By line of the source under test: how often it was executed in all runs of a program in `folder`. Lines
/// without code are missing; `None` when gcov is not there or says nothing that can be read.
pub fn line_counts(folder: &Path, program: &str, source: &Path) -> Option<BTreeMap<u32, u64>> {
    // The name of the notes depends on the compiler's version; it ends in that of the program's source.
    let own = [format!("{program}.gcno"), format!("-{program}.gcno")];
    let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
    let mut notes: Vec<String> = names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| *name == own[0] || name.ends_with(&own[1]))
        .collect();
    notes.sort();
    let mut args: Vec<String> = ["--json-format", "--stdout"].map(str::to_owned).to_vec();
    args.push(notes.first()?.clone());
    // A counter per line of a large file is more than a test may print.
    let limits = Limits { output: 64 << 20, ..Limits::compiler() };
    let finished = run(folder, "gcov", &args, &[], limits).ok()?;
    if !finished.succeeded() {
        return None;
    }
    counts(&finished.output, source)
}

fn counts(json: &str, source: &Path) -> Option<BTreeMap<u32, u64>> {
    let text = json.lines().find(|line| line.starts_with('{'))?;
    let report: Value = serde_json::from_str(text).ok()?;
    let files = report["files"].as_array()?.iter();
    let mut counts = BTreeMap::new();
    for file in files.filter(|file| file["file"].as_str().map(Path::new) == Some(source)) {
        for line in file["lines"].as_array()? {
            let number = u32::try_from(line["line_number"].as_u64()?).ok()?;
            // Inlined and repeated code has several entries.
            *counts.entry(number).or_insert(0) += line["count"].as_u64().unwrap_or(0);
        }
    }
    (!counts.is_empty()).then_some(counts)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::counts;

    #[test]
    fn lines_of_the_source_are_counted() {
        let json = r#"{"files": [{"file": "test.c", "lines": [{"line_number": 1, "count": 9}]},
 {"file": "/x/mine.c", "lines": []}]}"#
            .replace('\n', "")
            .replace(
                "\"lines\": []",
                "\"lines\": [{\"line_number\": 4, \"count\": 0}, {\"line_number\": 7, \"count\": 2}, \
                 {\"line_number\": 7, \"count\": 1}]",
            );
        let found = counts(&json, Path::new("/x/mine.c")).expect("readable");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(4, 0), (7, 3)]);
        assert_eq!(counts("gcov: cannot open notes", Path::new("/x/mine.c")), None);
    }
}
