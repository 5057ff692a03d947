//! Parts of a run for several machines: which functions are whose, what each part leaves, and how parts become one again.
//!
//! Who has what depends on the project alone. Small files belong to one part as a whole, so that no other reads and compiles
//! them; the functions of large ones are shared out. A part leaves the results of its functions as entries beside its suite (`shard/`), and a record that names them. Putting parts together
//! is the whole run once more, in which every result is known: so it leaves the same files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use glassbox_ir::{FuncId, Program};
use serde_json::{Value, json};

use crate::cache::Digest;
use crate::language::Part;
use crate::save::save;

/// The record of a part.
pub const RECORD: &str = "shard.json";

/// One part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub index: usize,
    pub count: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || "a part and how many there are is wanted, such as 1/4".to_owned();
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        let shard = Shard { index: number(index)?, count: number(count)? };
        if shard.index == 0 || shard.index > shard.count {
            return Err(format!("parts are 1/{0} to {0}/{0}", shard.count.max(1)));
        }
        Ok(shard)
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// Where a part keeps its results and the texts that it read.
pub fn entries(out: &Path) -> PathBuf {
    out.join("shard")
}

/// Who works on what, program by program.
#[derive(Debug)]
pub(crate) struct Division {
    shard: Option<Shard>,
    /// By program: the part that has all of it, from 1.
    owners: Vec<Option<usize>>,
    /// What each part has to do so far in programs that are shared out.
    loads: Vec<u64>,
    /// By name of a function: microseconds in an earlier run.
    costs: BTreeMap<String, u64>,
    /// The digest of what there is.
    project: String,
    own: Vec<Value>,
}

/// The digest of the files of a project.
pub(crate) fn project(parts: &[Part]) -> String {
    let mut digest = Digest::default();
    for part in parts {
        digest.add(&part.name);
        let text = part.source.as_ref().and_then(|source| fs::read(source).ok());
        digest.add_bytes(&text.unwrap_or_default());
    }
    digest.finish()
}

/// Which programs belong to one of `count` parts as a whole, and to which: those that are no larger than a part. Reading and
/// compiling a program in every part costs more than parts that are not equally large. The largest come first and go to
/// whom has least.
fn owners(sizes: &[u64], count: usize) -> Vec<Option<usize>> {
    let share = sizes.iter().sum::<u64>() / count as u64;
    let mut order: Vec<usize> = (0..sizes.len()).filter(|&at| sizes[at] <= share).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(sizes[at]));
    let mut loads = vec![0; count];
    let mut owners = vec![None; sizes.len()];
    for at in order {
        let least = (0..count).min_by_key(|&part| loads[part]).unwrap_or(0);
        loads[least] += sizes[at].max(1);
        owners[at] = Some(least + 1);
    }
    owners
}

impl Division {
    /// `times` is the `times.json` of an earlier run.
    pub(crate) fn new(
        shard: Option<Shard>,
        times: Option<&Path>,
        parts: &[Part],
    ) -> Result<Division, String> {
        let costs = match times {
            None => BTreeMap::new(),
            Some(path) => costs(path)?,
        };
        let count = shard.map_or(1, |shard| shard.count);
        // What is known of functions is worth more than the sizes of files.
        let owners = match costs.is_empty() && count > 1 {
            true => owners(&parts.iter().map(Part::size).collect::<Vec<_>>(), count),
            false => vec![None; parts.len()],
        };
        let project = shard.map_or_else(String::new, |_| project(parts));
        Ok(Division { shard, owners, loads: vec![0; count], costs, project, own: Vec::new() })
    }

    /// Whether something of a program, by position, may be ours.
    pub(crate) fn has_of(&self, program: usize) -> bool {
        let owner = self.owners.get(program).copied().flatten();
        owner.is_none_or(|owner| self.shard.is_none_or(|shard| shard.index == owner))
    }

    /// Which of the functions of a program are ours, by position. The most expensive come first and go to whom has least.
    pub(crate) fn share(
        &mut self,
        position: usize,
        program: &Program,
        functions: &[FuncId],
    ) -> Vec<bool> {
        let is_whole = self.owners.get(position).copied().flatten().is_some();
        let Some(shard) = self.shard.filter(|_| !is_whole) else {
            return vec![self.has_of(position); functions.len()];
        };
        let known: Vec<Option<u64>> = functions
            .iter()
            .map(|&id| {
                let name = glassbox_report::suite_json::title::title(program, id);
                self.costs.get(&name).copied()
            })
            .collect();
        let sizes: Vec<u64> = functions.iter().map(|&function| size(program, function)).collect();
        // What is not known costs as much as what is known of its size.
        let (cost, weight) = known
            .iter()
            .zip(&sizes)
            .filter_map(|(known, size)| Some(((*known)?, *size)))
            .fold((0u64, 0u64), |sum, next| (sum.0 + next.0, sum.1 + next.1));
        let guess = |size: u64| (size * cost.max(1)).checked_div(weight).unwrap_or(size);
        let cost = |at: usize| known[at].unwrap_or_else(|| guess(sizes[at])).max(1);
        let mut order: Vec<usize> = (0..functions.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(cost(at)));
        let mut is_ours = vec![false; functions.len()];
        for at in order {
            let least = (0..self.loads.len()).min_by_key(|&part| self.loads[part]).unwrap_or(0);
            self.loads[least] += cost(at);
            is_ours[at] = least + 1 == shard.index;
        }
        is_ours
    }

    /// Notes a function that is ours.
    pub(crate) fn note(&mut self, program: &Program, function: FuncId, key: &str) {
        let declared = program.function(function);
        let file = program.files.get(declared.span.file.index());
        self.own.push(json!({
            "file": file.map(|file| file.path.as_str()),
            "function": declared.name,
            "key": key,
        }));
    }

    /// Names and files of the functions that are ours.
    pub(crate) fn own(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let own = self.own.iter();
        own.filter_map(|it| Some((it["function"].as_str()?, it["file"].as_str())))
    }

    /// Leaves the record of a part.
    pub(crate) fn write(&self, out: &Path, command: &[String]) -> Result<(), String> {
        let Some(shard) = self.shard else { return Ok(()) };
        let record = json!({
            "format": FORMAT,
            "tool": env!("CARGO_PKG_VERSION"),
            "shard": shard.index,
            "of": shard.count,
            "command": command,
            "project": self.project,
            "functions": self.own,
        });
        save(&out.join(RECORD), &format!("{record:#}\n"))
    }
}

/// The version of the record.
const FORMAT: u64 = 2;

/// How much there is to do in a function, roughly.
fn size(program: &Program, function: FuncId) -> u64 {
    let body = program.function(function).body.as_ref();
    let blocks = body.into_iter().flat_map(|body| &body.blocks);
    blocks.map(|block| block.instrs.len() as u64 + 1).sum()
}

/// How long functions took, by their names.
fn costs(path: &Path) -> Result<BTreeMap<String, u64>, String> {
    let wrong = |what: &str| format!("{}: {what}", path.display());
    let text = fs::read_to_string(path).map_err(|error| wrong(&error.to_string()))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
    let functions = value["functions"].as_array().ok_or_else(|| wrong("this is no times.json"))?;
    let cost = |function: &Value| {
        let time = |name: &str| function[name].as_u64().unwrap_or(0);
        Some((function["name"].as_str()?.to_owned(), time("search") + time("replay")))
    };
    Ok(functions.iter().filter_map(cost).collect())
}

/// Parts that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// What one of them was asked to do.
    pub command: Vec<String>,
    /// Where their results are.
    pub folders: Vec<PathBuf>,
    /// The digest of what they were made of.
    pub project: String,
}

struct Record {
    folder: PathBuf,
    shard: Shard,
    command: Vec<String>,
    tool: String,
    project: String,
}

/// Reads the records of parts. One that is missing, there twice, or of something else is named.
pub fn parts(
    folders: &[PathBuf],
    same: impl Fn(&[String]) -> Vec<String>,
) -> Result<Parts, String> {
    let records: Result<Vec<Record>, String> =
        folders.iter().map(|folder| record(folder)).collect();
    let records = records?;
    let first = records.first().ok_or("name the folders of all parts")?;
    let count = first.shard.count;
    let mut seen: BTreeMap<usize, &Path> = BTreeMap::new();
    for other in &records {
        let (a, b) = (first.folder.display(), other.folder.display());
        if other.shard.count != count {
            return Err(format!("{a} is a part of {count}, {b} of {}", other.shard.count));
        }
        if other.tool != first.tool {
            return Err(format!("{a} and {b} were made by different versions of glassbox"));
        }
        if same(&other.command) != same(&first.command) {
            return Err(format!(
                "{a} and {b} were made with different options:\n  {}\n  {}",
                first.command.join(" "),
                other.command.join(" ")
            ));
        }
        if other.project != first.project {
            return Err(format!("{a} and {b} were made of different sources"));
        }
        if let Some(known) = seen.insert(other.shard.index, &other.folder) {
            return Err(format!("{} and {b} are the same part, {}", known.display(), other.shard));
        }
    }
    let there: BTreeSet<usize> = seen.keys().copied().collect();
    let missing: Vec<String> = (1..=count)
        .filter(|index| !there.contains(index))
        .map(|i| format!("{i}/{count}"))
        .collect();
    if !missing.is_empty() {
        return Err(format!("a part is missing: {}", missing.join(", ")));
    }
    Ok(Parts {
        command: first.command.clone(),
        folders: seen.values().map(|folder| entries(folder)).collect(),
        project: first.project.clone(),
    })
}

fn record(folder: &Path) -> Result<Record, String> {
    let path = folder.join(RECORD);
    let shown = path.display();
    let text = fs::read_to_string(&path).map_err(|error| {
        format!(
            "{shown}: {error}\nhelp: `--shard I/N --out DIR` of gen and check leaves such a folder"
        )
    })?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{shown}: {error}"))?;
    let damaged = || format!("{shown}: this is no record of a part");
    let number = |name: &str| value[name].as_u64().and_then(|it| usize::try_from(it).ok());
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    if value["format"].as_u64() != Some(FORMAT) {
        return Err(format!("{shown}: another version of glassbox wrote it"));
    }
    let words = value["command"].as_array().ok_or_else(damaged)?;
    let command: Option<Vec<String>> =
        words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
    let (index, count) = number("shard").zip(number("of")).ok_or_else(damaged)?;
    let (tool, project) = text("tool").zip(text("project")).ok_or_else(damaged)?;
    Ok(Record {
        folder: folder.to_path_buf(),
        shard: Shard { index, count },
        command: command.ok_or_else(damaged)?,
        tool,
        project,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, count: 3 }));
        for wrong in ["", "1", "0/3", "4/3", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn programs_that_fit_belong_to_one_part() {
        let equal = owners(&[10; 10], 8);
        assert!(equal.iter().all(Option::is_some), "{equal:?}");
        assert_eq!((1..=8).filter(|part| equal.contains(&Some(*part))).count(), 8);
        assert_eq!(owners(&[100, 10, 10], 4)[0], None, "it is larger than a part");
        assert_eq!(owners(&[10, 10], 1), [Some(1), Some(1)]);
    }

    fn leave(folder: &Path, index: usize, change: impl Fn(&mut Value)) -> PathBuf {
        let own = folder.join(format!("s{index}"));
        fs::create_dir_all(&own).expect("made");
        let mut record = json!({
            "format": FORMAT, "tool": "0.1.0", "shard": index, "of": 2,
            "command": ["glassbox", "gen", "a.c"], "project": "p",
        });
        change(&mut record);
        fs::write(own.join(RECORD), record.to_string()).expect("written");
        own
    }

    #[test]
    fn parts_that_do_not_belong_together_are_named() {
        let place = tempfile::tempdir().expect("a folder");
        let whole = |list: &[PathBuf]| parts(list, <[String]>::to_vec);
        let one = leave(place.path(), 1, |_| {});
        let two = leave(place.path(), 2, |_| {});
        let found = whole(&[two.clone(), one.clone()]).expect("whole");
        assert_eq!(found.folders, [entries(&one), entries(&two)]);
        let message = |list: &[PathBuf]| whole(list).expect_err("refused");
        assert!(message(std::slice::from_ref(&one)).contains("missing: 2/2"));
        assert!(message(&[one.clone(), one.clone()]).contains("the same part, 1/2"));
        assert!(message(&[]).contains("name the folders"));
        let other = leave(place.path(), 2, |record| record["project"] = json!("q"));
        assert!(message(&[one.clone(), other]).contains("different sources"));
        let other = leave(place.path(), 2, |record| record["command"] = json!(["glassbox"]));
        assert!(message(&[one.clone(), other]).contains("different options"));
        let other = leave(place.path(), 2, |record| record["of"] = json!(3));
        assert!(message(&[one.clone(), other]).contains("is a part of 2"));
        let other = leave(place.path(), 2, |record| record["format"] = json!(9));
        assert!(message(&[one, other]).contains("another version"));
        assert!(message(&[place.path().join("none")]).contains("--shard I/N"));
    }
}
