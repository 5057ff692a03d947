//! The HTML report: one self-contained page, made from suite.json's data and nothing else.
//!
//! The data is embedded as JSON and drawn by a small script; rows appear as they are needed, so that thousands
//! of goals do not slow it down. Nothing is loaded from anywhere (the page forbids it), there is no clock in
//! it, and text of the suite never becomes markup. Without scripts a plain table is shown.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::data::{ReasonCode, SuiteData};
use crate::sha256;
use crate::xml::escape;

const PAGE: &str = include_str!("html/page.html");
/// How pages look, this one and others.
pub(crate) const STYLE: &str = include_str!("html/style.css");
/// One concept per file; together one script.
const SCRIPTS: &[&str] = &[
    include_str!("html/dom.js"),
    include_str!("html/model.js"),
    include_str!("html/plots.js"),
    include_str!("html/heap.js"),
    include_str!("html/graph.js"),
    include_str!("html/axis.js"),
    include_str!("html/way.js"),
    include_str!("html/decisions.js"),
    include_str!("html/book.js"),
    include_str!("html/overview.js"),
    include_str!("html/folders.js"),
    include_str!("html/nearest.js"),
    include_str!("html/source.js"),
    include_str!("html/detail.js"),
    include_str!("html/main.js"),
];

/// The page. `times` is what `times::times` made.
pub fn page(data: &SuiteData, times: Option<&Value>) -> String {
    let script = format!("(function () {{\n'use strict';\n{}}})();\n", SCRIPTS.concat());
    // Inside a script element only `<` can end it; JSON can spell it otherwise.
    let embedded = |json: &str| json.replace('<', "\\u003c");
    let json = embedded_line(data);
    let times = times.map_or_else(|| "null".to_owned(), |times| embedded(&times.to_string()));
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + script.len() + json.len());
    let mut rest = PAGE;
    let parts = [
        ("{{style}}", STYLE),
        ("{{fallback}}", &fallback(data)),
        ("{{data}}", &json),
        ("{{times}}", &times),
        ("{{advice}}", &advice()),
        ("{{digests}}", &embedded(&digests(data))),
        ("{{script}}", &script),
    ];
    for (mark, text) in parts {
        let (before, after) =
            rest.split_once(mark).expect("the page has every mark, in this order");
        page.push_str(before);
        page.push_str(text);
        rest = after;
    }
    page.push_str(rest);
    page
}

/// The suite as it stands inside a script element.
fn embedded_line(data: &SuiteData) -> String {
    let mut out = Embedded(Vec::new());
    // Writing to memory does not fail.
    let _ = data.write_line(&mut out);
    String::from_utf8(out.0).unwrap_or_default()
}

/// Spells `<` as JSON may.
struct Embedded(Vec<u8>);

impl std::io::Write for Embedded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'<') {
            match part.strip_suffix(b"<") {
                Some(before) => {
                    self.0.extend_from_slice(before);
                    self.0.extend_from_slice(b"\\u003c");
                }
                None => self.0.extend_from_slice(part),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What readers can do about unknown goals, by the code of the reason.
fn advice() -> String {
    let entries = ReasonCode::ALL.map(|code| (code.name().to_owned(), Value::from(code.advice())));
    Value::Object(entries.into_iter().collect()).to_string()
}

/// The digests of the suite and of the sources that it is about, as evidence names them.
fn digests(data: &SuiteData) -> String {
    let sources = data.sources.iter().filter_map(|source| {
        let text = source.text.as_ref()?;
        Some((source.path.clone(), Value::from(sha256::hex(text.as_bytes()))))
    });
    let sources: Value = Value::Object(sources.collect());
    let suite = sha256::of_written(|out| data.write_text(out)).unwrap_or_default();
    json!({ "suite": suite, "sources": sources }).to_string()
}

/// For readers without scripts.
fn fallback(data: &SuiteData) -> String {
    let mut out = String::from(
        "<p>This report needs scripts for its details. The summary:</p>\n<table>\n<tr><th>Function</th>\
         <th>Goals</th><th>Covered</th><th>Infeasible</th><th>Unknown</th><th>Tests</th></tr>\n",
    );
    for function in &data.functions {
        let counts = function.counts();
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(function.title()),
            counts.goals,
            counts.covered,
            counts.infeasible + counts.infeasible_within,
            counts.unknown,
            counts.tests
        );
    }
    out.push_str("</table>");
    out
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::data::{Function, SuiteData};

    #[test]
    fn text_of_the_suite_cannot_become_markup() {
        let name = "</script><img src=x>".to_owned();
        let function = Function { name, ..Function::default() };
        let data = SuiteData { functions: vec![function], ..SuiteData::default() };
        let page = page(&data, None);
        assert!(!page.contains("<img src=x>"));
        assert_eq!(page.matches("</script>").count(), 5);
        assert!(!page.contains("{{"), "every mark should be filled");
    }
}
