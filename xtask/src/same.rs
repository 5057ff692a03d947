//! `cargo xtask corpus same OLD NEW`: whether two builds of the command leave the same bytes over the corpus.
//!
//! Every case is one command with fixed options over one program of `corpus/` or `examples/`. What a build left is kept
//! under the build's own digest, so a run that was interrupted goes on where it stopped, and the outputs of an old build
//! are made only once. Build and run times are not compared; the version's text is the same word in both.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// One way of running the command, over the programs below some folders.
struct Variant {
    name: &'static str,
    /// Where its programs are, and how their names end.
    programs: &'static [(&'static str, &'static str)],
    /// Words with spaces between them: the command, then its options besides [`LIMITS`].
    command: &'static str,
    cc_flags: &'static [&'static str],
}

/// Paths are few and the time is long, so that the clock decides nothing on a busy machine.
const LIMITS: &str = "--jobs 1 --max-paths 40 --timeout 600";

const C_PROGRAMS: &[(&str, &str)] = &[("corpus", "c"), ("examples", "c")];

const VARIANTS: &[Variant] = &[
    Variant {
        name: "gen",
        programs: C_PROGRAMS,
        command: "gen --criterion branch --criterion mcdc --format html,lcov,cobertura,sarif,junit",
        cc_flags: &[],
    },
    Variant {
        name: "gen-criteria",
        programs: &[("corpus/c", "c"), ("corpus/contracts", "c"), ("examples", "c")],
        command: "gen --criterion statement --criterion decision --criterion def-use \
                  --criterion boundary --criterion assert --framework cmocka --all 5 --no-exec --json",
        cc_flags: &[],
    },
    Variant {
        name: "check",
        programs: C_PROGRAMS,
        command: "check --format suite,tests,sarif,html,witness",
        cc_flags: &[],
    },
    Variant {
        name: "check-broken",
        programs: &[("corpus/proofs", "c")],
        command: "check --assertions-only",
        cc_flags: &["-DBROKEN"],
    },
    Variant {
        name: "check-memory",
        programs: &[("corpus/c", "c"), ("corpus/check", "c"), ("corpus/contracts", "c")],
        command: "check --leak --malloc-may-fail --unsigned-wrap --overflow reject --json",
        cc_flags: &[],
    },
    Variant {
        name: "gen-java",
        programs: &[("corpus/java", "java")],
        command: "gen --criterion branch --criterion exception \
                  --format html,lcov,cobertura,sarif,junit",
        cc_flags: &[],
    },
    Variant {
        name: "check-java",
        programs: &[("corpus/java", "java")],
        command: "check",
        cc_flags: &[],
    },
];

/// A case that takes longer is ended; that it was ended is its result.
const CASE_LIMIT: Duration = Duration::from_secs(3600);

/// What is left of a case beside the files: standard output and error, and how the command ended.
const STDOUT: &str = "STDOUT";
const STDERR: &str = "STDERR";
const STATUS: &str = "STATUS";
/// Seconds; not compared.
const SECONDS: &str = "SECONDS";
const NOT_COMPARED: &[&str] = &[SECONDS, "times.json"];

struct Case<'v> {
    variant: &'v Variant,
    program: String,
}

impl Case<'_> {
    /// `check/corpus/proofs/gcd.c`: also the folder of what it leaves.
    fn name(&self) -> String {
        format!("{}/{}", self.variant.name, self.program)
    }
}

/// A build of the command.
struct Build {
    binary: PathBuf,
    version: String,
    /// Where its outputs are kept.
    kept: PathBuf,
}

/// `OLD NEW [--jobs N] [PART_OF_A_NAME ...]`: cases whose names contain any of the parts, or all.
pub(crate) fn run(root: &Path, args: &[String]) -> Result<(), String> {
    let mut words: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut n_jobs = thread::available_parallelism().map_or(1, usize::from);
    if let Some(at) = words.iter().position(|word| *word == "--jobs") {
        let number = words.get(at + 1).and_then(|word| word.parse().ok());
        n_jobs = number.ok_or("--jobs takes a number")?;
        words.drain(at..at + 2);
    }
    let &[old, new, ref parts @ ..] = words.as_slice() else {
        return Err(
            "usage: cargo xtask corpus same OLD NEW [--jobs N] [PART_OF_A_NAME ...]".to_owned()
        );
    };
    let folder = root.join("target/same");
    let builds = [build(&folder, old)?, build(&folder, new)?];
    let cases: Vec<Case<'_>> = cases(root)
        .into_iter()
        .filter(|case| parts.is_empty() || parts.iter().any(|part| case.name().contains(part)))
        .collect();
    println!(
        "{} cases; outputs in {} and {}",
        cases.len(),
        builds[0].kept.display(),
        builds[1].kept.display()
    );
    let results = Mutex::new(vec![None; cases.len()]);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..n_jobs {
            scope.spawn(|| {
                while let Some((number, case)) = next_case(&next, &cases) {
                    let result = compare_case(root, case, &builds);
                    print_result(case, &result);
                    results.lock().expect("no worker panics while it holds the results")[number] =
                        Some(result);
                }
            });
        }
    });
    let results = results.into_inner().expect("no worker panics while it holds the results");
    conclude(&cases, &results.into_iter().flatten().collect::<Vec<_>>())
}

fn next_case<'c, 'v>(next: &AtomicUsize, cases: &'c [Case<'v>]) -> Option<(usize, &'c Case<'v>)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    Some((number, cases.get(number)?))
}

fn build(folder: &Path, binary: &str) -> Result<Build, String> {
    let binary = fs::canonicalize(binary).map_err(|error| format!("{binary}: {error}"))?;
    let bytes = fs::read(&binary).map_err(|error| format!("{}: {error}", binary.display()))?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let output = Command::new(&binary).arg("--version").output();
    let output = output.map_err(|error| format!("{}: {error}", binary.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.trim().strip_prefix("glassbox ").unwrap_or_default().to_owned();
    Ok(Build { binary, version, kept: folder.join(format!("{:016x}", hasher.finish())) })
}

/// All cases, in the order of variants and names.
fn cases(root: &Path) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for variant in VARIANTS {
        for (folder, extension) in variant.programs {
            let files = files_below(&root.join(folder));
            let programs =
                files.iter().filter(|file| file.extension() == Some(OsStr::new(extension)));
            for program in programs {
                let program = program.strip_prefix(root).unwrap_or(program).display().to_string();
                cases.push(Case { variant, program });
            }
        }
    }
    cases
}

/// Seconds of both builds, and the files that differ with the first line that does.
#[derive(Clone)]
struct Comparison {
    seconds: [f64; 2],
    differences: Vec<String>,
}

fn compare_case(root: &Path, case: &Case<'_>, builds: &[Build; 2]) -> Result<Comparison, String> {
    let mut seconds = [0.0; 2];
    for (build, seconds) in builds.iter().zip(&mut seconds) {
        let kept = build.kept.join(case.name());
        if !kept.join(SECONDS).exists() {
            leave_outputs(root, case, build, &kept)?;
        }
        *seconds = read(&kept.join(SECONDS)).trim().parse().unwrap_or_default();
    }
    let [old, new] =
        builds.each_ref().map(|build| (build.kept.join(case.name()), build.version.as_str()));
    let names: BTreeSet<PathBuf> = [&old.0, &new.0]
        .into_iter()
        .flat_map(|folder| {
            files_below(folder)
                .into_iter()
                .filter_map(move |file| Some(file.strip_prefix(folder).ok()?.to_owned()))
        })
        .filter(|name| !NOT_COMPARED.iter().any(|other| name.as_os_str() == *other))
        .collect();
    let text = |(folder, version): &(PathBuf, &str), name: &Path| {
        let path = folder.join(name);
        path.exists().then(|| with_one_version(&read(&path), version))
    };
    let differences = names
        .iter()
        .filter_map(|name| {
            difference(text(&old, name).as_deref(), text(&new, name).as_deref(), name)
        })
        .collect();
    Ok(Comparison { seconds, differences })
}

/// Runs the command; the folder appears only when it is complete.
fn leave_outputs(root: &Path, case: &Case<'_>, build: &Build, kept: &Path) -> Result<(), String> {
    // The folder's name is part of what is written, so both builds write to the same one.
    let out = Path::new("target/same/run").join(case.name());
    let place = root.join(&out);
    let explain = |error: std::io::Error| format!("{}: {error}", place.display());
    remove(&place)?;
    remove(kept)?;
    fs::create_dir_all(&place).map_err(explain)?;
    let file = |name: &str| fs::File::create(place.join(name)).map_err(explain);
    let mut words = case.variant.command.split(' ').chain(LIMITS.split(' '));
    let start = Instant::now();
    let mut child = Command::new(&build.binary)
        .arg0("glassbox")
        .args(words.next())
        .arg(&case.program)
        .args(words)
        .arg("--out")
        .arg(&out)
        .arg("--")
        .args(case.variant.cc_flags)
        .current_dir(root)
        .env("SOURCE_DATE_EPOCH", "0")
        .stdin(Stdio::null())
        .stdout(file(STDOUT)?)
        .stderr(file(STDERR)?)
        .spawn()
        .map_err(explain)?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(explain)? {
            break status.to_string();
        }
        if start.elapsed() > CASE_LIMIT {
            child.kill().and_then(|()| child.wait()).map_err(explain)?;
            break format!("ended after {} seconds", CASE_LIMIT.as_secs());
        }
        thread::sleep(Duration::from_millis(20));
    };
    fs::write(place.join(STATUS), format!("{status}\n")).map_err(explain)?;
    fs::write(place.join(SECONDS), format!("{:.2}\n", start.elapsed().as_secs_f64()))
        .map_err(explain)?;
    let parent = kept.parent().ok_or("what is kept has a folder")?;
    fs::create_dir_all(parent).and_then(|()| fs::rename(&place, kept)).map_err(explain)
}

fn remove(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(())
}

/// The text without what two builds of the same sources may differ in, and without what the clock makes the command say.
fn with_one_version(text: &str, version: &str) -> String {
    let text: String = text
        .split_inclusive('\n')
        .filter(|line| !line.starts_with("glassbox: still at work"))
        .collect();
    if version.is_empty() { text } else { text.replace(version, "VERSION") }
}

/// Bytes that are no text are shown as such and compared all the same.
fn read(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_else(|error| format!("{:?}", error.as_bytes()))
}

fn difference(old: Option<&str>, new: Option<&str>, name: &Path) -> Option<String> {
    let name = name.display();
    match (old, new) {
        (Some(old), Some(new)) if old == new => None,
        (Some(old), Some(new)) => {
            let mut lines = old.lines().zip(new.lines()).enumerate();
            let first = lines.find(|(_, (old, new))| old != new);
            Some(first.map_or_else(
                || format!("{name}: one is longer ({} and {} bytes)", old.len(), new.len()),
                |(number, (old, new))| {
                    let (old, new) = excerpts(old, new);
                    format!("{name}:{}\n      - {old}\n      + {new}", number + 1)
                },
            ))
        }
        (Some(_), None) => Some(format!("{name}: only the old build leaves it")),
        (None, Some(_)) => Some(format!("{name}: only the new build leaves it")),
        (None, None) => None,
    }
}

/// Where two lines begin to differ: some lines are whole JSON files.
fn excerpts(old: &str, new: &str) -> (String, String) {
    let n_same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let start = n_same.saturating_sub(60);
    let cut = |line: &str| line.chars().skip(start).take(160).collect::<String>();
    (cut(old), cut(new))
}

fn print_result(case: &Case<'_>, result: &Result<Comparison, String>) {
    match result {
        Ok(Comparison { seconds: [old, new], differences }) if differences.is_empty() => {
            println!("same       {:7.1} s {:7.1} s  {}", old, new, case.name());
        }
        Ok(Comparison { seconds: [old, new], differences }) => {
            let list: String =
                differences.iter().map(|difference| format!("\n    {difference}")).collect();
            println!("DIFFERENT  {:7.1} s {:7.1} s  {}{list}", old, new, case.name());
        }
        Err(message) => println!("FAILED     {}: {message}", case.name()),
    }
}

fn conclude(cases: &[Case<'_>], results: &[Result<Comparison, String>]) -> Result<(), String> {
    let is_same = |result: &Result<Comparison, String>| {
        result.as_ref().is_ok_and(|comparison| comparison.differences.is_empty())
    };
    let seconds = |side: usize| {
        results.iter().flatten().map(|comparison| comparison.seconds[side]).sum::<f64>()
    };
    println!("seconds of all cases: {:.0} and {:.0}", seconds(0), seconds(1));
    let different: Vec<String> = cases
        .iter()
        .zip(results)
        .filter(|(_, result)| !is_same(result))
        .map(|(case, _)| format!("  {}", case.name()))
        .collect();
    if different.is_empty() {
        println!("{} cases, all the same", cases.len());
        return Ok(());
    }
    Err(format!("{} of {} cases differ:\n{}", different.len(), cases.len(), different.join("\n")))
}

/// Files of a folder and its folders, sorted.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{cases, difference, with_one_version};

    #[test]
    fn cases_have_names_of_their_own_and_a_fixed_order() {
        let names: Vec<String> =
            cases(&crate::workspace_root()).iter().map(super::Case::name).collect();
        assert!(names.contains(&"gen/examples/tcas.c".to_owned()), "{names:?}");
        assert!(names.contains(&"gen-java/corpus/java/Ints.java".to_owned()), "{names:?}");
        let unique: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
    }

    #[test]
    fn only_the_version_may_differ() {
        let name = Path::new("suite.json");
        let [old, new] = ["1 (a)", "1 (b)"]
            .map(|version| with_one_version(&format!("made by {version}\ngoals: 3\n"), version));
        assert_eq!(difference(Some(&old), Some(&new), name), None);
        let other = new.replace('3', "4");
        let shown = difference(Some(&old), Some(&other), name).expect("different");
        assert!(shown.contains("suite.json:2") && shown.contains("+ goals: 4"), "{shown}");
        assert!(difference(Some(&old), None, name).is_some());
    }
}
