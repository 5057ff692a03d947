//! Mutants in a real browser: our own page, and our report in the viewer that Stryker has for it.
//!
//! Needs Chromium (Debian: `chromium`) and the viewer (npm: `mutation-testing-elements`), which `cargo xtask test` installs.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::Path;

use glassbox_report::mutation::{Fate, Function, Judged, stryker};
use glassbox_report::mutation_page;
use glassbox_testcase::ProofMethod;
use glassbox_testkit::browser::{browser, opens};
use glassbox_testkit::{Tool, require};

const SOURCE: &str = "int f(int a, int b) {\n    if (a < b) return 1;\n    return 0;\n}\n";

fn functions() -> Vec<Function> {
    let mutant = |operator, replacement: &str, fate| Judged {
        operator,
        file: "f.c".to_owned(),
        start: (2, 9),
        end: (2, 14),
        original: "a < b".to_owned(),
        replacement: replacement.to_owned(),
        fate,
    };
    let by = || "test_f__returns_1".to_owned();
    let mutants = vec![
        mutant("ror", "((a) > (b))", Fate::Killed { by: by(), how: "returns 0".to_owned() }),
        mutant("ror", "((a) == (b))", Fate::TimedOut { by: by() }),
        mutant("uoi", "-a < b", Fate::Unknown { reason: "the time ended".to_owned() }),
        mutant("ror", "((b) > (a))", Fate::Equivalent { method: ProofMethod::PathEnumeration }),
        mutant("aor", "a ! b", Fate::NotCompiled),
    ];
    let notes = Vec::new();
    let tests = vec![by()];
    let name = "f".to_owned();
    let (n_given, n_killed_first, n_killed_by_user) = (1, 2, None);
    vec![Function { name, mutants, tests, n_given, n_killed_first, n_killed_by_user, notes }]
}

/// Opens a page and gives back what its script wrote.
fn visit(page: &str, folder: &Path, window: &str) -> Option<String> {
    let mut browser = browser(folder)?;
    let path = folder.join("mutants.html");
    std::fs::write(&path, page).expect("written");
    browser.args(["--virtual-time-budget=20000", "--allow-file-access-from-files", "--dump-dom"]);
    opens(&mut browser, &path, "", window);
    let output = browser.output().expect("the browser starts");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let written = dom.rsplit_once("RESULT ").and_then(|(_, rest)| rest.split_once(" END"));
    let written = written.map(|(text, _)| text.replace("&lt;", "<").replace("&gt;", ">"));
    Some(written.unwrap_or_else(|| panic!("the script did not finish: {dom}")))
}

/// Writes the text of the page, that of components included.
const WRITES: &str = "
const texts = (node) => {
  if (node.nodeType === 3) return node.data + ' ';
  if (['STYLE', 'SCRIPT'].includes(node.nodeName)) return '';
  const below = [...(node.shadowRoot ? node.shadowRoot.childNodes : []), ...node.childNodes];
  return below.map(texts).join('');
};
const write = (text) => {
  const out = document.createElement('pre');
  out.textContent = 'RESULT ' + text.replace(/\\s+/g, ' ') + ' END';
  document.body.append(out);
  // In a narrow window the page stands in a frame.
  if (parent !== window) parent.postMessage(out.textContent, '*');
};
";

#[test]
fn the_viewer_of_the_format_reads_our_report() {
    let Some(viewer) = require(Tool::MutationViewer) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let report = stryker(&functions(), &|_| SOURCE.to_owned());
    let report = report.to_string().replace('<', "\\u003c");
    let page = format!(
        "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><script src=\"file://{}\"></script></head><body>\
         <mutation-test-report-app></mutation-test-report-app><script>{WRITES}\
         const app = document.querySelector('mutation-test-report-app'); app.report = {report};\
         setTimeout(() => {{ location.hash = 'mutant/f.c'; \
         setTimeout(() => write(texts(document.body)), 1000); }}, 1000);</script></body></html>",
        viewer.display()
    );
    let Some(seen) = visit(&page, folder.path(), "1400,900") else { return };
    // Two of three that count are killed.
    for expected in
        ["f.c", "Killed", "Survived", "Timeout", "Ignored", "Compile", "66.67", "return 1"]
    {
        assert!(seen.contains(expected), "{expected}: {seen}");
    }
}

#[test]
fn our_own_page_shows_what_is_open_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = mutation_page::page(&functions(), &|_| SOURCE.to_owned());
    let script = format!(
        "<script>{WRITES}
const shown = () => [...document.querySelectorAll('article:not([hidden])')].map((it) => it.className).join(',');
const first = shown();
document.querySelector('input[value=killed]').click();
const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
write('first=' + first + ' then=' + shown() + ' wide=' + wide + ' ' + texts(document.querySelector('article:not([hidden])')));
</script></body>"
    );
    let page = page.replace("</body>", &script);
    for window in ["1400,900", "390,900"] {
        let Some(seen) = visit(&page, folder.path(), window) else { return };
        let expected = "first=unknown,equivalent then=killed,unknown,equivalent wide=false";
        assert!(seen.starts_with(expected), "{window}: {seen}");
        assert!(seen.contains("killed by test_f__returns_1: returns 0"), "{window}: {seen}");
    }
}
