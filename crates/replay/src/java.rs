//! Confirming Java tests: one compilation, one JVM for all tests of a class, every test twice in different
//! orders.
//!
//! What is compared: results, exceptions and changed state, by the tests' assertions. Which ways the JVM
//! took is reported by probes, where classes with probes are given.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use glassbox_emit::java_framework::JavaFile;
use glassbox_emit::java_probe;
use glassbox_library::environment::JavaAssertions;

use crate::confirm::{Confirmation, ReplayError};
use crate::sandbox::{Finished, Limits, run};

/// Tests that end the JVM are left out, and the rest is run again, at most this many times.
const MAX_ROUNDS: usize = 4;

/// The JDK's tools.
#[derive(Debug, Clone)]
pub struct Jdk {
    pub home: PathBuf,
}

impl Jdk {
    /// The JDK of `JAVA_HOME`, or the one that `javac` on the path belongs to; where there is no compiler, what
    /// `java` belongs to.
    pub fn find() -> Option<Jdk> {
        let has = |home: &PathBuf, tool: &str| home.join("bin").join(tool).is_file();
        let named = std::env::var_os("JAVA_HOME").map(PathBuf::from);
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let on_path = |tool: &str| {
            std::env::split_paths(&folders)
                .filter_map(|folder| fs::canonicalize(folder.join(tool)).ok())
                .filter_map(|found| Some(found.parent()?.parent()?.to_owned()))
                .find(|home| has(home, tool))
        };
        let home = ["javac", "java"].into_iter().find_map(|tool| {
            named.clone().filter(|home| has(home, tool)).or_else(|| on_path(tool))
        });
        home.map(|home| Jdk { home })
    }

    /// Whether sources can be compiled.
    pub fn has_compiler(&self) -> bool {
        self.home.join("bin/javac").is_file()
    }

    fn tool(&self, name: &str) -> String {
        self.home.join("bin").join(name).display().to_string()
    }

    /// Unpacks a jar into a folder: tests cannot be in packages that it has sealed or signed.
    pub fn unpack(&self, jar: &Path, folder: &Path) -> Result<(), ReplayError> {
        let io = |error| ReplayError::Io(jar.to_owned(), error);
        let args = ["xf".to_owned(), jar.display().to_string()];
        let limits = Limits { memory_kib: 64 << 20, ..Limits::compiler() };
        let finished = run(folder, &self.tool("jar"), &args, &[], limits).map_err(io)?;
        if finished.succeeded() { Ok(()) } else { Err(io(std::io::Error::other(finished.output))) }
    }

    /// Packs the classes of a folder into a jar.
    pub fn pack(&self, classes: &Path, manifest: &Path, jar: &Path) -> Result<(), ReplayError> {
        let io = |error| ReplayError::Io(jar.to_owned(), error);
        let path = |path: &Path| path.display().to_string();
        let (options, all) = ("cfm".to_owned(), ["-C".to_owned(), path(classes), ".".to_owned()]);
        let args = [vec![options, path(jar), path(manifest)], all.to_vec()].concat();
        let limits = Limits { memory_kib: 64 << 20, ..Limits::compiler() };
        let finished = run(classes, &self.tool("jar"), &args, &[], limits).map_err(io)?;
        if finished.succeeded() { Ok(()) } else { Err(io(std::io::Error::other(finished.output))) }
    }

    /// Compiles sources to classes in `out`; what the compiler said when it refused.
    pub fn compile(
        &self,
        sources: &[PathBuf],
        class_path: &str,
        out: &Path,
    ) -> Result<(), ReplayError> {
        let mut args: Vec<String> = [
            "-J-XX:TieredStopAtLevel=1",
            "-J-Xshare:auto",
            "-J-XX:+UseSerialGC",
            "-J-XX:-UsePerfData",
            "-g",
            "-nowarn",
            "-proc:none",
            "-encoding",
            "UTF-8",
            "-d",
        ]
        .map(str::to_owned)
        .to_vec();
        args.push(out.display().to_string());
        if !class_path.is_empty() {
            args.extend(["-cp".to_owned(), class_path.to_owned()]);
        }
        let absolute = |path: &PathBuf| fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        args.extend(sources.iter().map(|source| absolute(source).display().to_string()));
        let limits = Limits { memory_kib: 64 << 20, ..Limits::compiler() };
        let finished = run(out, &self.tool("javac"), &args, &[], limits)
            .map_err(|error| ReplayError::Io(self.home.clone(), error))?;
        if finished.succeeded() {
            Ok(())
        } else {
            Err(ReplayError::DoesNotCompile(finished.output))
        }
    }
}

/// What probes reported about one test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JvmTrace {
    /// How often each probe was passed.
    pub counts: BTreeMap<usize, u64>,
    /// The first branches and switches: probe and what it reported.
    pub steps: Vec<(usize, i32)>,
    /// What was reported while classes started, in this test or in an earlier one.
    pub at_start: Vec<(usize, i32)>,
}

/// What the JVM did with one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaReplay {
    pub confirmation: Confirmation,
    /// `None` where nothing was reported.
    pub trace: Option<JvmTrace>,
}

/// A class with probes: its path below a root, and its bytes.
pub type ProbedClass = (String, Vec<u8>);

/// How many tests one JVM runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// All of a class, each twice.
    Together,
    /// One, and only its first run counts: it finds classes as they start.
    Alone,
}

/// In which JVMs tests are run.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    pub class_path: &'a str,
    /// They go before those of the class path.
    pub probed: &'a [ProbedClass],
    pub assertions: JavaAssertions,
    pub sharing: Sharing,
}

/// Compiles the test classes of the replay and runs them; per file and test, in order.
pub fn confirm_java(
    jdk: &Jdk,
    folder: &Path,
    files: &[(&JavaFile, Vec<String>)],
    surroundings: Surroundings<'_>,
) -> Result<Vec<Vec<JavaReplay>>, ReplayError> {
    let Surroundings { class_path, probed, assertions, sharing } = surroundings;
    let mut sources = vec![folder.join("src").join(java_probe::PATH)];
    write(folder, &sources[0], java_probe::SOURCE.as_bytes())?;
    for (file, _) in files {
        let path = folder.join("src").join(&file.path);
        write(folder, &path, file.text.as_bytes())?;
        sources.push(path);
    }
    let classes = folder.join("classes");
    fs::create_dir_all(&classes).map_err(|error| ReplayError::Io(classes.clone(), error))?;
    jdk.compile(&sources, class_path, &classes)?;
    for (path, bytes) in probed {
        write(folder, &folder.join("probed").join(path), bytes)?;
    }
    let probed = folder.join("probed");
    let full_path = format!("{}:{}:{class_path}", probed.display(), classes.display());
    let jvm = Jvm { jdk, folder, class_path: &full_path, assertions };
    let run = |(file, names): &(&JavaFile, Vec<String>)| match sharing {
        Sharing::Together => jvm.run_class(file, names),
        Sharing::Alone => names.iter().map(|name| jvm.run_alone(file, names, name)).collect(),
    };
    files.iter().map(run).collect()
}

fn write(folder: &Path, path: &Path, bytes: &[u8]) -> Result<(), ReplayError> {
    let io = |error| ReplayError::Io(path.to_owned(), error);
    fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(io)?;
    fs::write(path, bytes).map_err(io)
}

/// A JVM for compiled tests.
struct Jvm<'a> {
    jdk: &'a Jdk,
    folder: &'a Path,
    class_path: &'a str,
    assertions: JavaAssertions,
}

impl Jvm<'_> {
    fn run_class(&self, file: &JavaFile, names: &[String]) -> Result<Vec<JavaReplay>, ReplayError> {
        let events = self.folder.join("events");
        let _ = fs::remove_file(&events);
        let mut results: Vec<Vec<String>> = vec![Vec::new(); names.len()];
        let mut left_out: Vec<String> = Vec::new();
        let simple = file.class.rsplit('.').next().unwrap_or(&file.class);
        // What `main` says when all tests have run: a test may end the JVM with any status.
        let total = format!("{simple}: ");
        for _ in 0..MAX_ROUNDS {
            let finished = self.start(file, names.len(), &left_out)?;
            let mut last = None;
            let mut is_complete = false;
            for line in finished.output.lines() {
                is_complete |= line.starts_with(&total);
                let mut words = line.splitn(3, ' ');
                let is_report = words.next() == Some(simple);
                let position = words.next().and_then(|name| names.iter().position(|n| n == name));
                if let (true, Some(position), Some(report)) = (is_report, position, words.next()) {
                    results[position].push(report.to_owned());
                    last = Some(position);
                }
            }
            if is_complete {
                break;
            }
            // The test that ended the JVM is the one after the last report, or the slow one itself.
            let culprit = match last {
                Some(slow) if results[slow].last().is_some_and(|report| report != "ok") => {
                    Some(slow)
                }
                _ => {
                    let mut order: Vec<usize> = (0..names.len()).collect();
                    order.sort_by(|a, b| names[*a].cmp(&names[*b]));
                    order.into_iter().find(|&test| results[test].is_empty())
                }
            };
            let culprit = culprit.filter(|&test| !left_out.contains(&names[test]));
            let Some(culprit) = culprit else { break };
            let last = finished.output.lines().last().unwrap_or("");
            if results[culprit].is_empty() {
                results[culprit].push(format!("it ends the JVM: {last}"));
            }
            left_out.push(names[culprit].clone());
        }
        let mut traces = read_traces(simple, &fs::read_to_string(&events).unwrap_or_default());
        let replay = |(reports, name): (&Vec<String>, &String)| JavaReplay {
            confirmation: confirmation(reports),
            trace: traces.remove(name),
        };
        Ok(results.iter().zip(names).map(replay).collect())
    }

    /// Runs one of the tests; what its first run does.
    fn run_alone(
        &self,
        file: &JavaFile,
        names: &[String],
        name: &str,
    ) -> Result<JavaReplay, ReplayError> {
        let left_out: Vec<String> = names.iter().filter(|other| *other != name).cloned().collect();
        let finished = self.start(file, 1, &left_out)?;
        let simple = file.class.rsplit('.').next().unwrap_or(&file.class);
        let start = format!("{simple} {name} ");
        let report = finished.output.lines().find_map(|line| line.strip_prefix(&start));
        let confirmation = match report {
            Some("ok") => Confirmation::Confirmed,
            Some(report) => Confirmation::Failed(report.to_owned()),
            None => Confirmation::Unfinished("it ends the JVM".to_owned()),
        };
        Ok(JavaReplay { confirmation, trace: None })
    }

    /// Runs the `main` of a test class.
    fn start(
        &self,
        file: &JavaFile,
        n_tests: usize,
        left_out: &[String],
    ) -> Result<Finished, ReplayError> {
        let mut args: Vec<String> = [
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xmx256m",
            "-Xss8m",
        ]
        .map(str::to_owned)
        .to_vec();
        args.extend(self.assertions.jvm_flags().iter().map(|&flag| flag.to_owned()));
        args.extend(["-cp".to_owned(), self.class_path.to_owned()]);
        args.extend(file.jvm_flags.iter().cloned());
        args.push(file.class.clone());
        args.extend(left_out.iter().cloned());
        let n_tests = u64::try_from(n_tests).unwrap_or(0);
        let limits = Limits {
            wall: Duration::from_secs(20 + n_tests / 5),
            cpu_seconds: 60,
            memory_kib: 64 << 20,
            ..Limits::test()
        };
        run(self.folder, &self.jdk.tool("java"), &args, &[], limits)
            .map_err(|error| ReplayError::Io(self.jdk.home.clone(), error))
    }
}

/// By test: what probes reported last.
fn read_traces(class: &str, text: &str) -> BTreeMap<String, JvmTrace> {
    let mut traces = BTreeMap::new();
    for line in text.lines() {
        let mut parts = line.split('|');
        let name = parts.next().and_then(|name| name.strip_prefix(class)?.strip_prefix(' '));
        let (Some(name), Some(counts), Some(steps)) = (name, parts.next(), parts.next()) else {
            continue;
        };
        let pairs = |text: &str| -> Vec<(usize, i64)> {
            let numbers: Vec<i64> =
                text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            let pair = |two: &[i64]| Some((usize::try_from(two[0]).ok()?, *two.get(1)?));
            numbers.chunks(2).filter_map(pair).collect()
        };
        let count = |(site, count): (usize, i64)| (site, u64::try_from(count).unwrap_or(0));
        let step = |(site, value): (usize, i64)| (site, i32::try_from(value).unwrap_or(0));
        let trace = JvmTrace {
            counts: pairs(counts).into_iter().map(count).collect(),
            steps: pairs(steps).into_iter().map(step).collect(),
            at_start: parts.next().map(pairs).unwrap_or_default().into_iter().map(step).collect(),
        };
        traces.insert(name.to_owned(), trace);
    }
    traces
}

fn confirmation(reports: &[String]) -> Confirmation {
    let n_ok = reports.iter().filter(|report| *report == "ok").count();
    let bad = reports.iter().find(|report| *report != "ok");
    match (n_ok, bad) {
        (0, Some(report)) => Confirmation::Failed(report.clone()),
        (_, Some(_)) => Confirmation::Flaky,
        (0 | 1, None) => Confirmation::Unfinished("it was not run twice".to_owned()),
        (_, None) => Confirmation::Confirmed,
    }
}
