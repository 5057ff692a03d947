//! The HTML report: one self-contained page, made from suite.json's data and nothing else.
//!
//! The data is embedded as JSON and drawn by a small script; rows appear as they are needed, so that thousands
//! of goals do not slow it down. Nothing is loaded from anywhere (the page forbids it), there is no clock in
//! it, and text of the suite never becomes markup. Without scripts a plain table is shown.

use std::fmt::Write;
use std::io::{self, Write as _};

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
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let _ = write_page(&mut page, data, &data.digest(), times);
    String::from_utf8(page).unwrap_or_default()
}

/// Writes the page, which may be long, without holding it. `digest` is that of the suite.
pub fn write_page(
    out: &mut dyn io::Write,
    data: &SuiteData,
    digest: &str,
    times: Option<&Value>,
) -> io::Result<()> {
    let mut rest = PAGE;
    // What stands in the place of each mark, in their order.
    type Part<'a> = &'a dyn Fn(&mut dyn io::Write) -> io::Result<()>;
    let parts: [(&str, Part<'_>); 7] = [
        ("{{style}}", &|out| out.write_all(STYLE.as_bytes())),
        ("{{fallback}}", &|out| out.write_all(fallback(data).as_bytes())),
        ("{{data}}", &|out| data.write_line(&mut Embedded(out))),
        ("{{times}}", &|out| match times {
            Some(times) => Ok(serde_json::to_writer(Embedded(out), times)?),
            None => out.write_all(b"null"),
        }),
        ("{{advice}}", &|out| out.write_all(advice().as_bytes())),
        ("{{digests}}", &|out| Embedded(out).write_all(digests(data, digest).as_bytes())),
        ("{{script}}", &|out| {
            out.write_all(b"(function () {\n'use strict';\n")?;
            SCRIPTS.iter().try_for_each(|script| out.write_all(script.as_bytes()))?;
            out.write_all(b"})();\n")
        }),
    ];
    for (mark, write) in parts {
        let (before, after) =
            rest.split_once(mark).expect("the page has every mark, in this order");
        out.write_all(before.as_bytes())?;
        write(out)?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

/// Spells `<` as JSON may: inside a script element nothing else can end it.
struct Embedded<'a>(&'a mut dyn io::Write);

impl io::Write for Embedded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'<') {
            match part.strip_suffix(b"<") {
                Some(before) => {
                    self.0.write_all(before)?;
                    self.0.write_all(b"\\u003c")?;
                }
                None => self.0.write_all(part)?,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// What readers can do about unknown goals, by the code of the reason.
fn advice() -> String {
    let entries = ReasonCode::ALL.map(|code| (code.name().to_owned(), Value::from(code.advice())));
    Value::Object(entries.into_iter().collect()).to_string()
}

/// The digests of the suite and of the sources that it is about, as evidence names them.
fn digests(data: &SuiteData, suite: &str) -> String {
    let sources = data.sources.iter().filter_map(|source| {
        let text = source.text.as_ref()?;
        Some((source.path.clone(), Value::from(sha256::hex(text.as_bytes()))))
    });
    let sources: Value = Value::Object(sources.collect());
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
