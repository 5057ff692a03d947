//! What the written tests look like, for reports: each test of a suite with its text, its place, and how to run it alone.

use std::path::Path;

use glassbox_emit::excerpt::excerpt;
use glassbox_emit::framework::TextFile;
use glassbox_report::data::SuiteData;
use glassbox_report::data::test::TestSource;

use crate::language::Written;

/// Gives every test of the suite its text. `tests` is the folder of all tests, `out` that of suite.json.
pub(crate) fn fill(suite: &mut SuiteData, written: &Written, tests: &Path, out: &Path) {
    let folder = tests.strip_prefix(out).unwrap_or(tests);
    for function in &mut suite.functions {
        for test in &mut function.tests {
            // Functions of one name in several files have tests of one name: which is whose is not known here.
            let mut found = written.files.iter().filter_map(|file| {
                has_word(file, &test.id).then(|| Some((file, excerpt(&file.text, &test.id)?)))?
            });
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

/// Most files are about other functions.
fn has_word(file: &TextFile, word: &str) -> bool {
    file.text.contains(word)
}
