//! Reports as files in `DIR/report`, made from a suite alone.

use std::fs;
use std::path::{Path, PathBuf};

use glassbox_report::data::{self, SuiteData};
use glassbox_report::times::{self, FunctionTimes};
use glassbox_report::{cobertura, html, junit, lcov, sarif, sarif_goals, testcomp, witness};
use serde_json::Value;

use crate::plan::Environment;
use crate::save::save;

/// What can be made from a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    Html,
    Lcov,
    Cobertura,
    Sarif,
    Junit,
    Testcomp,
    Witness,
}

impl Format {
    fn file(self) -> &'static str {
        match self {
            Format::Html => "index.html",
            Format::Lcov => "lcov.info",
            Format::Cobertura => "cobertura.xml",
            Format::Sarif => "goals.sarif",
            Format::Junit => "junit.xml",
            Format::Testcomp => "test-suite",
            Format::Witness => "witness-",
        }
    }

    fn text(self, data: &SuiteData, times: Option<&Value>, epoch: u64) -> String {
        match self {
            Format::Html => html::page(data, times),
            Format::Lcov => lcov::lcov(data),
            Format::Cobertura => cobertura::cobertura(data, epoch),
            Format::Sarif => {
                let log = sarif_goals::log(data, &root_uri());
                format!("{}\n", serde_json::to_string_pretty(&log).unwrap_or_default())
            }
            Format::Junit => junit::junit(data),
            Format::Testcomp | Format::Witness => String::new(),
        }
    }
}

/// `SOURCE_DATE_EPOCH`, or the beginning of time: the same run gives the same bytes.
fn epoch(environment: &Environment) -> u64 {
    let told = environment.source_date.as_deref();
    told.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// Leaves the times of a run next to its suite. Whoever sets `SOURCE_DATE_EPOCH` wants the same bytes every
/// time: then there are none, and the page shows steps instead.
pub fn write_times(
    out: &Path,
    suite: &SuiteData,
    functions: &[FunctionTimes],
    environment: &Environment,
) -> Result<(), String> {
    let path = out.join(times::NAME);
    if environment.source_date.is_some() {
        return match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(format!("{}: {error}", path.display()))
            }
            _ => Ok(()),
        };
    }
    save(&path, &format!("{}\n", times::times(suite, functions)))
}

/// The current folder as a URI that ends in a slash.
pub fn root_uri() -> String {
    let current = std::env::current_dir().unwrap_or_default();
    format!("file://{}/", sarif::encode(current.display().to_string().trim_end_matches('/')))
}

/// Writes the reports; the files written. What can be written is written, whatever else fails; the first
/// failure is told.
pub fn write(
    out: &Path,
    data: &SuiteData,
    formats: &[Format],
    environment: &Environment,
) -> Result<Vec<PathBuf>, String> {
    let epoch = epoch(environment);
    if formats.is_empty() {
        return Ok(Vec::new());
    }
    let folder = out.join("report");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let times = fs::read_to_string(out.join(times::NAME)).ok();
    let times = times.and_then(|text| times::read(&text, data));
    let mut formats = formats.to_vec();
    formats.sort_unstable();
    formats.dedup();
    let mut written = Vec::new();
    let mut failure = None;
    for format in formats {
        if format == Format::Testcomp {
            match write_testcomp(out, data, epoch) {
                Ok(folder) => written.push(folder),
                Err(message) => {
                    failure.get_or_insert(message);
                }
            }
            continue;
        }
        if format == Format::Witness {
            for witness in witness::witnesses(data, epoch) {
                let path = folder.join(&witness.name);
                match save(&path, &witness.text) {
                    Ok(()) => written.push(path),
                    Err(message) => {
                        failure.get_or_insert(message);
                    }
                }
            }
            continue;
        }
        let path = folder.join(format.file());
        match save(&path, &format.text(data, times.as_ref(), epoch)) {
            Ok(()) => written.push(path),
            Err(message) => {
                failure.get_or_insert(message);
            }
        }
    }
    failure.map_or(Ok(written), Err)
}

/// Writes `DIR/test-suite`, whose content can be zipped as it is; test cases of earlier runs go.
fn write_testcomp(out: &Path, data: &SuiteData, epoch: u64) -> Result<PathBuf, String> {
    let files = testcomp::suite(data, epoch).map_err(|obstacle| obstacle.to_string())?;
    let folder = out.join(Format::Testcomp.file());
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(told)?;
    for entry in fs::read_dir(&folder).map_err(told)?.flatten() {
        let name = entry.file_name();
        let is_case = name.to_str().is_some_and(|name| name.starts_with("testcase-"));
        if is_case {
            fs::remove_file(entry.path()).map_err(told)?;
        }
    }
    for file in files {
        save(&folder.join(file.name), &file.text)?;
    }
    Ok(folder)
}

/// Reads `DIR/suite.json`, or the file itself.
pub fn read_suite(out: &Path) -> Result<SuiteData, String> {
    let path = if out.is_dir() { out.join("suite.json") } else { out.to_owned() };
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => told(&"there is no suite here; `glassbox gen` makes one"),
        _ => told(&error),
    })?;
    data::read(&text).map_err(|error| told(&error))
}
