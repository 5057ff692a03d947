//! Reports as files in `DIR/report`, made from a suite alone.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use glassbox_report::data::{self, SuiteData};
use glassbox_report::{cobertura, html, junit, lcov, sarif, sarif_goals};
use serde_json::Value;

/// What can be left in DIR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Format {
    /// report/index.html: a self-contained page
    Html,
    /// report/lcov.info: an LCOV tracefile, proved branches flagged unreachable
    Lcov,
    /// report/cobertura.xml
    Cobertura,
    /// report/goals.sarif: undecided and unreachable goals as notes, violations as errors
    Sarif,
    /// report/junit.xml: the replay of the tests
    Junit,
}

impl Format {
    fn file(self) -> &'static str {
        match self {
            Format::Html => "index.html",
            Format::Lcov => "lcov.info",
            Format::Cobertura => "cobertura.xml",
            Format::Sarif => "goals.sarif",
            Format::Junit => "junit.xml",
        }
    }

    fn text(self, value: &Value, data: &SuiteData) -> String {
        match self {
            Format::Html => html::page(value, data),
            Format::Lcov => lcov::lcov(data),
            Format::Cobertura => cobertura::cobertura(data, epoch()),
            Format::Sarif => {
                let log = sarif_goals::log(data, &root_uri());
                format!("{}\n", serde_json::to_string_pretty(&log).unwrap_or_default())
            }
            Format::Junit => junit::junit(data),
        }
    }
}

/// `SOURCE_DATE_EPOCH`, or the beginning of time: the same run gives the same bytes.
fn epoch() -> u64 {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok();
    told.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// The current folder as a URI that ends in a slash.
fn root_uri() -> String {
    let current = std::env::current_dir().unwrap_or_default();
    format!("file://{}/", sarif::encode(current.display().to_string().trim_end_matches('/')))
}

/// Writes the reports; the files written. What can be written is written, whatever else fails; the first
/// failure is told.
pub(crate) fn write(out: &Path, value: &Value, formats: &[Format]) -> Result<Vec<PathBuf>, String> {
    if formats.is_empty() {
        return Ok(Vec::new());
    }
    let data = data::from_value(value).map_err(|error| error.to_string())?;
    let folder = out.join("report");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut formats = formats.to_vec();
    formats.sort_unstable();
    formats.dedup();
    let mut written = Vec::new();
    let mut failure = None;
    for format in formats {
        let path = folder.join(format.file());
        match fs::write(&path, format.text(value, &data)) {
            Ok(()) => written.push(path),
            Err(error) => {
                let _ = failure.get_or_insert(format!("{}: {error}", path.display()));
            }
        }
    }
    failure.map_or(Ok(written), Err)
}

/// Reads `DIR/suite.json`, or the file itself.
pub(crate) fn read_suite(out: &Path) -> Result<(Value, SuiteData), String> {
    let path = if out.is_dir() { out.join("suite.json") } else { out.to_owned() };
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => told(&"there is no suite here; `glassbox gen` makes one"),
        _ => told(&error),
    })?;
    data::read(&text).map_err(|error| told(&error))
}
