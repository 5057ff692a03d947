//! Which goals are asked for: all, those of some ids or lines, and none that an existing suite covers already.
//!
//! What an existing suite covers is read from LCOV tracefiles, gcov's texts and JaCoCo's XML. These count lines and, for
//! each line, how many of its branches were taken; they do not say which, so a branch is left out only where all of its
//! line were taken.

use std::collections::BTreeMap;
use std::fs;

use glassbox_coverage::{Goal, Target};
use glassbox_ir::Program;

/// What restricts the goals; nothing by default.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Ids of goals.
    pub ids: Vec<String>,
    pub lines: Vec<Line>,
    /// What is covered already.
    pub covered: Vec<CoveredFile>,
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub file: String,
    pub line: u32,
}

/// What a tool counted in one source file, by line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoveredFile {
    path: String,
    lines: BTreeMap<u32, LineCount>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct LineCount {
    is_executed: bool,
    n_branches: u32,
    n_taken: u32,
}

impl LineCount {
    fn has_all_branches(self) -> bool {
        self.n_branches > 0 && self.n_taken == self.n_branches
    }
}

impl Wanted {
    pub fn is_everything(&self) -> bool {
        self.ids.is_empty() && self.lines.is_empty() && self.covered.is_empty()
    }

    /// Reads `FILE:LINE`.
    pub fn add_line(&mut self, text: &str) -> Result<(), String> {
        let parts = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        let Some((file, line)) = parts.filter(|(file, line)| !file.is_empty() && *line > 0) else {
            return Err(format!("`{text}` is no place: write FILE:LINE"));
        };
        self.lines.push(Line { file: file.to_owned(), line });
        Ok(())
    }

    /// Reads what an existing suite covers.
    pub fn add_covered(&mut self, path: &str) -> Result<(), String> {
        let bytes = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let files = read(&String::from_utf8_lossy(&bytes));
        if files.is_empty() {
            return Err(format!(
                "{path}: neither an LCOV tracefile nor gcov's text nor JaCoCo's XML"
            ));
        }
        self.covered.extend(files);
        Ok(())
    }

    pub(crate) fn includes(&self, program: &Program, goal: &Goal) -> bool {
        let path = program.files.get(goal.span.file.index()).map_or("", |file| &*file.path);
        let is_named = self.ids.contains(&goal.id);
        let is_at = |place: &Line| place.line == goal.span.line && is_same_file(&place.file, path);
        let is_chosen = (self.ids.is_empty() && self.lines.is_empty())
            || is_named
            || self.lines.iter().any(is_at);
        // Files of one name in other folders do not count where the file itself does.
        let is_itself = |file: &CoveredFile| is_one_file(&file.path, path) == Some(true);
        let is_there = self.covered.iter().any(is_itself);
        let mut counted = self.covered.iter().filter(|file| !is_there || is_itself(file));
        is_chosen && !counted.any(|file| file.covers(path, goal))
    }

    /// What was asked for, where nothing is there.
    pub(crate) fn nothing(&self) -> String {
        let ids = self.ids.iter().map(|id| format!("`{id}`"));
        let lines = self.lines.iter().map(|place| format!("{}:{}", place.file, place.line));
        let named: Vec<String> = ids.chain(lines).collect();
        if named.is_empty() {
            return "every goal is covered already".to_owned();
        }
        format!(
            "no goal of these criteria is {}\nhelp: `glassbox dump --stage goals` lists ids and places",
            named.join(" or ")
        )
    }
}

impl CoveredFile {
    fn covers(&self, path: &str, goal: &Goal) -> bool {
        let Some(count) = self.lines.get(&goal.span.line) else { return false };
        is_same_file(&self.path, path)
            && match &goal.target {
                // Several statements may stand on the line.
                Target::Site(_) => count.is_executed && count.n_taken == count.n_branches,
                Target::Edge { .. } | Target::AnyEdge(_) => count.has_all_branches(),
                // Counts of branches do not show these.
                Target::Outcome { .. }
                | Target::Condition { .. }
                | Target::Independence { .. }
                | Target::DefUse { .. }
                | Target::Path(_)
                | Target::CheckFails(_)
                | Target::Killed { .. } => false,
            }
    }
}

/// Whether both paths lead to one file; `None` where one of them is not here.
fn is_one_file(one: &str, other: &str) -> Option<bool> {
    Some(fs::canonicalize(one).ok()? == fs::canonicalize(other).ok()?)
}

/// Whether one path is the end of the other: tools name the same file from different folders.
fn is_same_file(one: &str, other: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let plain = path.replace('\\', "/");
        plain.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_owned).collect()
    };
    if let Some(is_one) = is_one_file(one, other) {
        return is_one;
    }
    let (one, other) = (parts(one), parts(other));
    !one.is_empty() && !other.is_empty() && (one.ends_with(&other) || other.ends_with(&one))
}

fn read(text: &str) -> Vec<CoveredFile> {
    let files = if text.trim_start().starts_with('<') {
        read_jacoco(text)
    } else if text.lines().any(|line| line.starts_with("SF:")) {
        read_lcov(text)
    } else {
        read_gcov(text)
    };
    files.into_iter().filter(|file| !file.lines.is_empty()).collect()
}

/// `SF:path`, then `DA:line,count` and `BRDA:line,block,branch,count` until `end_of_record`.
fn read_lcov(text: &str) -> Vec<CoveredFile> {
    let mut files: Vec<CoveredFile> = Vec::new();
    for line in text.lines() {
        let Some((kind, rest)) = line.split_once(':') else { continue };
        if kind == "SF" {
            files.push(CoveredFile { path: rest.trim().to_owned(), ..CoveredFile::default() });
            continue;
        }
        let Some(file) = files.last_mut() else { continue };
        let words: Vec<&str> = rest.split(',').collect();
        let Some(number) = words.first().and_then(|word| word.trim().parse().ok()) else {
            continue;
        };
        let is_some =
            |word: Option<&&str>| word.is_some_and(|word| !matches!(word.trim(), "0" | "-"));
        match kind {
            "DA" => file.lines.entry(number).or_default().is_executed |= is_some(words.get(1)),
            "BRDA" => {
                let count = file.lines.entry(number).or_default();
                count.n_branches += 1;
                count.n_taken += u32::from(is_some(words.get(3)));
            }
            _ => {}
        }
    }
    files
}

/// `count:line:text`, with `Source:path` on line 0, and `branch N taken M` below a line (`gcov -b`).
fn read_gcov(text: &str) -> Vec<CoveredFile> {
    let mut files: Vec<CoveredFile> = Vec::new();
    let mut at = 0;
    for line in text.lines() {
        if let Some(branch) = line.strip_prefix("branch") {
            let Some(count) = files.last_mut().and_then(|file| file.lines.get_mut(&at)) else {
                continue;
            };
            count.n_branches += 1;
            let taken = branch.split_once("taken").map(|(_, taken)| taken.trim());
            let is_taken = taken.is_some_and(|taken| !taken.starts_with("0%") && taken != "0");
            count.n_taken += u32::from(is_taken);
            continue;
        }
        let mut parts = line.splitn(3, ':');
        let (Some(count), Some(number), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let Ok(number) = number.trim().parse() else { continue };
        if number == 0 {
            if let Some(path) = rest.strip_prefix("Source:") {
                files.push(CoveredFile { path: path.to_owned(), ..CoveredFile::default() });
            }
            continue;
        }
        at = number;
        let Some(file) = files.last_mut() else { continue };
        let count = count.trim();
        if count != "-" {
            let is_executed = !count.starts_with(['#', '=']) && count != "0";
            file.lines.entry(number).or_default().is_executed |= is_executed;
        }
    }
    files
}

/// `<package name>`, in it `<sourcefile name>`, in it `<line nr mi ci mb cb>`: missed and covered instructions and
/// branches.
fn read_jacoco(text: &str) -> Vec<CoveredFile> {
    let mut files: Vec<CoveredFile> = Vec::new();
    let mut package = String::new();
    for element in text.split('<') {
        let value = |name: &str| {
            let (_, rest) = element.split_once(&format!(" {name}=\""))?;
            rest.split_once('"').map(|(value, _)| value)
        };
        let number =
            |name: &str| value(name).and_then(|value| value.parse::<u32>().ok()).unwrap_or(0);
        if element.starts_with("package ") {
            value("name").unwrap_or_default().clone_into(&mut package);
        } else if element.starts_with("sourcefile ") {
            let path = format!("{package}/{}", value("name").unwrap_or_default());
            files.push(CoveredFile { path, ..CoveredFile::default() });
        } else if element.starts_with("line ")
            && let Some(file) = files.last_mut()
        {
            let count = LineCount {
                is_executed: number("ci") > 0,
                n_branches: number("mb") + number("cb"),
                n_taken: number("cb"),
            };
            file.lines.insert(number("nr"), count);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are executed, and those whose branches were all taken.
    fn lines(text: &str) -> Vec<(String, Vec<u32>, Vec<u32>)> {
        let of = |file: CoveredFile| {
            let lines = || file.lines.iter();
            let executed = lines().filter(|(_, it)| it.is_executed).map(|(at, _)| *at).collect();
            let taken =
                lines().filter(|(_, it)| it.has_all_branches()).map(|(at, _)| *at).collect();
            (file.path.clone(), executed, taken)
        };
        read(text).into_iter().map(of).collect()
    }

    #[test]
    fn tracefiles_are_read() {
        let text = "TN:\nSF:/src/a.c\nDA:1,2\nDA:2,0\nBRDA:1,0,0,1\nBRDA:1,0,1,1\n\
                    BRDA:2,0,0,-\nBRDA:3,0,0,4\nBRDA:3,0,1,0\nend_of_record\n";
        assert_eq!(lines(text), [("/src/a.c".to_owned(), vec![1], vec![1])]);
    }

    #[test]
    fn texts_of_gcov_are_read() {
        let text = "        -:    0:Source:a.c\n        3:    1:if (x)\nbranch  0 taken 2\nbranch  1 taken 1 (fallthrough)\n\
                    \x20   #####:    2:  y();\n        -:    3:}\n        1:    4:if (z)\nbranch  0 taken 0%\nbranch  1 taken 100%\n";
        assert_eq!(lines(text), [("a.c".to_owned(), vec![1, 4], vec![1])]);
    }

    #[test]
    fn reports_of_jacoco_are_read() {
        let text = "<?xml version=\"1.0\"?><report name=\"r\"><package name=\"a/b\"><sourcefile name=\"C.java\">\
                    <line nr=\"3\" mi=\"0\" ci=\"2\" mb=\"0\" cb=\"2\"/><line nr=\"4\" mi=\"1\" ci=\"0\" mb=\"1\" cb=\"1\"/>\
                    </sourcefile></package></report>";
        assert_eq!(lines(text), [("a/b/C.java".to_owned(), vec![3], vec![3])]);
    }

    #[test]
    fn files_are_the_same_where_one_path_ends_like_the_other() {
        assert!(is_same_file("/home/me/src/a.c", "./src/a.c"));
        assert!(!is_same_file("lib/a.c", "src/a.c"));
        assert!(!is_same_file("ba.c", "a.c"));
    }

    #[test]
    fn places_have_a_file_and_a_line() {
        let mut wanted = Wanted::default();
        wanted.add_line("src/a.c:12").expect("a place");
        assert_eq!(wanted.lines, [Line { file: "src/a.c".to_owned(), line: 12 }]);
        for wrong in ["a.c", ":3", "a.c:x", "a.c:0"] {
            assert!(wanted.add_line(wrong).is_err(), "{wrong}");
        }
    }
}
