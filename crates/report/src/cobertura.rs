//! Cobertura XML (`coverage-04.dtd`): package = folder, class = file, for the coverage panels of CI systems.
//!
//! Branches that are proved unreachable without bounds are in neither number, as Cobertura has no word
//! for them; suite.json keeps them. Counts are numbers of tests.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::data::{Function, SuiteData};
use crate::line_coverage::{Branch, FileCoverage, files};
use crate::xml::escape;

/// The document. `time` is the second to stamp it with; 0 keeps it reproducible.
pub fn cobertura(data: &SuiteData, time: u64) -> String {
    let files = files(data);
    let mut total = Rates::default();
    files.iter().for_each(|file| total.add(&Rates::of_file(file)));
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n",
    );
    let _ = writeln!(
        out,
        "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" \
         branches-valid=\"{}\" complexity=\"0\" version=\"glassbox {}\" timestamp=\"{time}\">",
        total.attributes(),
        total.lines_hit,
        total.lines,
        total.branches_hit,
        total.branches,
        escape(&data.tool.version),
    );
    let is_absolute = files.iter().any(|file| file.path.starts_with('/'));
    let root = if is_absolute { "/" } else { "." };
    let _ = writeln!(out, "  <sources>\n    <source>{root}</source>\n  </sources>\n  <packages>");
    let mut packages: BTreeMap<&str, Vec<&FileCoverage<'_>>> = BTreeMap::new();
    for file in &files {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        packages.entry(folder).or_default().push(file);
    }
    for (folder, files) in &packages {
        package(&mut out, folder, files);
    }
    out.push_str("  </packages>\n</coverage>\n");
    out
}

fn package(out: &mut String, folder: &str, files: &[&FileCoverage<'_>]) {
    let mut rates = Rates::default();
    files.iter().for_each(|file| rates.add(&Rates::of_file(file)));
    let name = if folder.is_empty() { "." } else { folder };
    let _ = writeln!(
        out,
        "    <package name=\"{}\" {} complexity=\"0\">\n      <classes>",
        escape(name),
        rates.attributes()
    );
    for file in files {
        class(out, file);
    }
    out.push_str("      </classes>\n    </package>\n");
}

fn class(out: &mut String, file: &FileCoverage<'_>) {
    let name = file.path.rsplit('/').next().unwrap_or(file.path);
    let _ = writeln!(
        out,
        "        <class name=\"{}\" filename=\"{}\" {} complexity=\"0\">\n          <methods>",
        escape(name),
        escape(file.path.trim_start_matches('/')),
        Rates::of_file(file).attributes()
    );
    for function in &file.functions {
        method(out, file, function);
    }
    out.push_str("          </methods>\n          <lines>\n");
    for (line, hits) in &file.lines {
        line_element(out, file, *line, *hits);
    }
    out.push_str("          </lines>\n        </class>\n");
}

fn method(out: &mut String, file: &FileCoverage<'_>, function: &Function) {
    let blocks = &function.graph.blocks;
    let mut lines: Vec<u32> = blocks.iter().flat_map(|block| block.lines.iter().copied()).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut rates = Rates::default();
    for line in &lines {
        rates.add_line(file, *line);
    }
    let _ = writeln!(
        out,
        "            <method name=\"{}\" signature=\"\" {} complexity=\"0\">\n              <lines>",
        escape(&function.name),
        rates.attributes()
    );
    for line in lines {
        let hits = file.lines.get(&line).copied().unwrap_or_default();
        line_element(out, file, line, hits);
    }
    out.push_str("              </lines>\n            </method>\n");
}

fn line_element(out: &mut String, file: &FileCoverage<'_>, line: u32, hits: usize) {
    let branches: Vec<&Branch> = branches_at(file, line).collect();
    if branches.is_empty() {
        let _ = writeln!(out, "            <line number=\"{line}\" hits=\"{hits}\"/>");
        return;
    }
    let n_hit = branches.iter().filter(|branch| branch.hits > 0).count();
    let _ = writeln!(
        out,
        "            <line number=\"{line}\" hits=\"{hits}\" branch=\"true\" \
         condition-coverage=\"{}% ({n_hit}/{})\">\n              <conditions>",
        percent(n_hit, branches.len()),
        branches.len()
    );
    let mut groups: Vec<usize> = branches.iter().map(|branch| branch.group).collect();
    groups.dedup();
    for (number, group) in groups.iter().enumerate() {
        let of_group = || branches.iter().filter(|branch| branch.group == *group);
        let n_hit = of_group().filter(|branch| branch.hits > 0).count();
        let _ = writeln!(
            out,
            "                <condition number=\"{number}\" type=\"jump\" coverage=\"{}%\"/>",
            percent(n_hit, of_group().count())
        );
    }
    out.push_str("              </conditions>\n            </line>\n");
}

fn branches_at<'a>(file: &'a FileCoverage<'_>, line: u32) -> impl Iterator<Item = &'a Branch> {
    file.branches.iter().filter(move |branch| branch.line == line && !branch.is_infeasible)
}

fn percent(part: usize, whole: usize) -> usize {
    (part * 100).checked_div(whole).unwrap_or(100)
}

#[derive(Debug, Default)]
struct Rates {
    lines: usize,
    lines_hit: usize,
    branches: usize,
    branches_hit: usize,
}

impl Rates {
    fn of_file(file: &FileCoverage<'_>) -> Rates {
        let mut rates = Rates::default();
        file.lines.keys().for_each(|line| rates.add_line(file, *line));
        rates
    }

    fn add_line(&mut self, file: &FileCoverage<'_>, line: u32) {
        self.lines += 1;
        self.lines_hit += usize::from(file.lines.get(&line).is_some_and(|hits| *hits > 0));
        for branch in branches_at(file, line) {
            self.branches += 1;
            self.branches_hit += usize::from(branch.hits > 0);
        }
    }

    fn add(&mut self, other: &Rates) {
        self.lines += other.lines;
        self.lines_hit += other.lines_hit;
        self.branches += other.branches;
        self.branches_hit += other.branches_hit;
    }

    fn attributes(&self) -> String {
        let line = rate(self.lines_hit, self.lines);
        let branch = rate(self.branches_hit, self.branches);
        format!("line-rate=\"{line}\" branch-rate=\"{branch}\"")
    }
}

/// A fraction with four digits, without floating point: the same bytes everywhere.
fn rate(part: usize, whole: usize) -> String {
    let scaled = (part * 10_000).checked_div(whole).unwrap_or(10_000);
    format!("{}.{:04}", scaled / 10_000, scaled % 10_000)
}
