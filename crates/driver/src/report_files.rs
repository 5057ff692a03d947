//! Reports as files in `DIR/report`, made from a suite alone.

use std::fs;
use std::path::{Path, PathBuf};

use glassbox_report::data::{self, SuiteData};
use glassbox_report::times::{self, FunctionTimes};
use glassbox_report::{
    cobertura, html, junit, lcov, markdown, sarif, sarif_goals, testcomp, witness,
};

use crate::plan::Environment;
use crate::save::{save, save_written};

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
    Markdown,
}

/// `SOURCE_DATE_EPOCH`, or the beginning of time: the same run gives the same bytes.
fn epoch(environment: &Environment) -> u64 {
    let given = environment.source_date.as_deref();
    given.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// Leaves the times of a run next to its suite, which has this digest. With `SOURCE_DATE_EPOCH` the user asks for the same bytes every
/// time: then there are none, and the page shows steps instead.
pub fn write_times(
    out: &Path,
    digest: &str,
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
    save(&path, &format!("{}\n", times::times(digest, functions)))
}

/// The current folder as a URI that ends in a slash.
pub fn root_uri() -> String {
    let current = std::env::current_dir().unwrap_or_default();
    format!("file://{}/", sarif::encode(current.display().to_string().trim_end_matches('/')))
}

/// Writes the reports; the files written. What can be written is written, whatever else fails; the first
/// failure is returned. The digest of the suite is found out where it is not known.
pub fn write(
    out: &Path,
    (data, digest): (&SuiteData, Option<String>),
    formats: &[Format],
    environment: &Environment,
) -> Result<Vec<PathBuf>, String> {
    let epoch = epoch(environment);
    if formats.is_empty() {
        return Ok(Vec::new());
    }
    let folder = out.join("report");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut formats = formats.to_vec();
    formats.sort_unstable();
    formats.dedup();
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        save(&path, text).map(|()| path)
    };
    let mut results = Vec::new();
    for format in formats {
        match format {
            Format::Html => {
                let digest = digest.clone().unwrap_or_else(|| data.digest());
                let times = fs::read_to_string(out.join(times::NAME)).ok();
                let times = times.and_then(|text| times::read(&text, &digest));
                let path = folder.join("index.html");
                let write = |out: &mut dyn std::io::Write| {
                    html::write_page(out, data, &digest, times.as_ref())
                };
                results.push(save_written(&path, &write).map(|()| path));
            }
            Format::Lcov => results.push(put("lcov.info", &lcov::lcov(data))),
            Format::Cobertura => {
                results.push(put("cobertura.xml", &cobertura::cobertura(data, epoch)));
            }
            Format::Sarif => {
                let log = sarif_goals::log(data, &root_uri());
                results.push(put("goals.sarif", &format!("{log:#}\n")));
            }
            Format::Junit => results.push(put("junit.xml", &junit::junit(data))),
            Format::Markdown => results.push(put("summary.md", &markdown::markdown(data))),
            Format::Testcomp => results.push(write_testcomp(out, data, epoch)),
            Format::Witness => {
                let witnesses = witness::witnesses(data, epoch).into_iter();
                results.extend(witnesses.map(|witness| put(&witness.name, &witness.text)));
            }
        }
    }
    let mut failure = None;
    let written = results.into_iter().filter_map(|result| match result {
        Ok(path) => Some(path),
        Err(message) => {
            failure.get_or_insert(message);
            None
        }
    });
    let written = written.collect();
    failure.map_or(Ok(written), Err)
}

/// Writes `DIR/test-suite`, whose content can be zipped as it is; test cases of earlier runs go.
fn write_testcomp(out: &Path, data: &SuiteData, epoch: u64) -> Result<PathBuf, String> {
    let files = testcomp::suite(data, epoch).map_err(|obstacle| obstacle.to_string())?;
    let folder = out.join("test-suite");
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(at)?;
    for entry in fs::read_dir(&folder).map_err(at)?.flatten() {
        let name = entry.file_name();
        let is_case = name.to_str().is_some_and(|name| name.starts_with("testcase-"));
        if is_case {
            fs::remove_file(entry.path()).map_err(at)?;
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
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| {
        let is_missing = error.kind() == std::io::ErrorKind::NotFound;
        if is_missing {
            at(&"there is no suite here; `glassbox gen` makes one")
        } else {
            at(&error)
        }
    })?;
    data::read(&text).map_err(|error| at(&error))
}
