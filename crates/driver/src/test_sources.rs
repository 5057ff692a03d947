//! What the written tests look like, for reports: each test of a suite with its text, its place, and how to run it alone.

use std::collections::BTreeMap;
use std::path::Path;

use glassbox_emit::excerpt::excerpt;
use glassbox_emit::framework::TextFile;
use glassbox_report::data::SuiteData;
use glassbox_report::data::test::TestSource;

use crate::language::Written;

/// Gives every test of the suite its text. `tests` is the folder of all tests, `out` that of suite.json.
pub(crate) fn fill(suite: &mut SuiteData, written: &Written, tests: &Path, out: &Path) {
    let folder = tests.strip_prefix(out).unwrap_or(tests);
    let heads = heads(&written.files);
    for function in &mut suite.functions {
        for test in &mut function.tests {
            let files: Box<dyn Iterator<Item = &TextFile>> = match test.id.chars().all(is_of_name) {
                true => Box::new(heads.get(test.id.as_str()).into_iter().flatten().copied()),
                false => Box::new(written.files.iter()),
            };
            // Functions of one name in several files have tests of one name: which is whose is not known here.
            let mut found = files.filter_map(|file| Some((file, excerpt(&file.text, &test.id)?)));
            let (Some((file, text)), None) = (found.next(), found.next()) else { continue };
            let alone = written.alone.iter().find(|alone| alone.file == file.name);
            test.source = Some(TestSource {
                file: folder.join(&file.name).display().to_string(),
                line: u32::try_from(text.line).unwrap_or(u32::MAX),
                text: text.text.to_owned(),
                command: alone.map(|alone| format!("{}{}", alone.command, test.id)),
            });
        }
    }
}

/// By name that stands before a parenthesis: the files in which it does. Most files are about other functions.
fn heads(files: &[TextFile]) -> BTreeMap<&str, Vec<&TextFile>> {
    let mut heads: BTreeMap<&str, Vec<&TextFile>> = BTreeMap::new();
    for file in files {
        for (at, _) in file.text.match_indices(['(', ')']) {
            let before = &file.text[..at];
            let name = &before[before.trim_end_matches(is_of_name).len()..];
            let known = heads.entry(name).or_default();
            if known.last().is_none_or(|last| !std::ptr::eq(*last, file)) {
                known.push(file);
            }
        }
    }
    heads
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
