//! A Java library: its tests compiled, run twice and counted by JaCoCo, and random calls beside them.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Asked, Row};

/// JUnit's own program and JaCoCo, as Debian installs them.
const JUNIT: &str = "/usr/share/java/junit-platform-console-standalone.jar";
const AGENT: &str = "/usr/share/java/org.jacoco.agent.jar";
const JACOCO: &str = "/usr/share/java/org.jacoco.core.jar:/usr/share/java/asm.jar:\
                      /usr/share/java/asm-tree.jar:/usr/share/java/asm-commons.jar:/usr/share/java/asm-analysis.jar";

const TOTALS: &str = include_str!("Totals.java");
const RANDOM_CALLS: &str = include_str!("RandomCalls.java");

/// A jar, and which of its classes are looked at.
#[derive(Debug)]
pub(super) struct Library {
    jar: PathBuf,
    /// The jar and those in the folder `lib` beside it.
    class_path: String,
    behind: String,
    /// Names with dots.
    classes: Vec<String>,
    is_part: bool,
}

/// What JaCoCo saw, and how long methods took.
#[derive(Debug, Clone, Default)]
pub(super) struct Counted {
    n_classes: usize,
    tests: Totals,
    random: Option<Totals>,
    /// Seconds of the processor for each method, the shortest first.
    processor: Vec<f64>,
}

/// Lines and branches, covered and all.
#[derive(Debug, Clone, Default)]
struct Totals([usize; 4]);

impl Library {
    pub(super) fn open(asked: &Asked, jar: &Path) -> Result<Library, String> {
        let listed = output(Command::new("jar").arg("tf").arg(jar))?;
        let is_class = |name: &&str| !name.starts_with("META-INF/") && !name.ends_with("-info");
        let names = listed.lines().filter_map(|line| line.strip_suffix(".class")).filter(is_class);
        let mut names: Vec<String> = names.map(|name| name.replace('/', ".")).collect();
        names.sort();
        fn outer(name: &str) -> &str {
            let start = name.rfind('.').map_or(0, |dot| dot + 1);
            name[start..].find('$').map_or(name, |end| &name[..start + end])
        }
        let mut groups: Vec<&str> = names.iter().map(|name| outer(name)).collect();
        groups.dedup();
        let chosen: Vec<&str> = groups.into_iter().step_by(asked.every.max(1)).collect();
        let classes: Vec<String> =
            names.iter().filter(|name| chosen.contains(&outer(name))).cloned().collect();
        let jar = fs::canonicalize(jar).map_err(|error| format!("{}: {error}", jar.display()))?;
        let beside = jar.parent().map(|folder| folder.join("lib")).unwrap_or_default();
        let found = fs::read_dir(beside).into_iter().flatten().flatten();
        let mut behind: Vec<String> = found.map(|it| it.path().display().to_string()).collect();
        behind.sort();
        let behind = behind.join(":");
        let class_path = format!("{}:{behind}", jar.display());
        Ok(Library { jar, class_path, behind, classes, is_part: asked.every > 1 })
    }

    /// Arguments of `gen`.
    pub(super) fn choice(&self) -> Vec<OsString> {
        let mut choice: Vec<OsString> = Vec::new();
        if !self.behind.is_empty() {
            choice.extend(["--classpath".into(), OsString::from(&self.behind)]);
        }
        for class in self.classes.iter().filter(|_| self.is_part) {
            choice.extend(["--class".into(), OsString::from(class)]);
        }
        choice
    }

    /// Compiles the tests, each class for itself where not all of them compile, runs them twice, and counts.
    pub(super) fn build_and_run(
        &self,
        asked: &Asked,
        out: &Path,
        row: &mut Row,
        complaints: &mut Vec<String>,
    ) {
        let mut sources = java_files(&out.join("tests"));
        sources.sort();
        let classes = out.join("classes");
        drop(fs::remove_dir_all(&classes));
        drop(fs::create_dir_all(&classes));
        let path = format!("{}:{}:{JUNIT}", classes.display(), self.class_path);
        let compile = |sources: &[PathBuf]| {
            let mut javac = Command::new("javac");
            javac.args(["-nowarn", "-encoding", "UTF-8", "-cp", &path, "-d"]).arg(&classes);
            output(javac.args(sources)).err()
        };
        let is_whole = sources.is_empty() || compile(&sources).is_none();
        for source in &sources {
            let text = fs::read_to_string(source).unwrap_or_default();
            let count =
                |start: &str| text.lines().filter(|line| line.trim().starts_with(start)).count();
            // Test classes may be called `Test` themselves, where annotations have their full name.
            let written = count("@Test") + count("@org.junit.");
            row.tests += written;
            row.reflective += count("// Uses reflection");
            match if is_whole { None } else { compile(std::slice::from_ref(source)) } {
                None => row.compiling += written,
                Some(said) => {
                    let first = said.lines().find(|line| line.contains("error:")).unwrap_or("");
                    complaints.push(format!("{} does not compile: {first}", source.display()));
                }
            }
        }
        let agent = agent(out);
        let packages = self.packages();
        let counting = |data: &Path| {
            let agent = agent.as_ref()?;
            drop(fs::remove_file(data));
            Some(format!(
                "-javaagent:{}=destfile={},includes={packages}",
                agent.display(),
                data.display()
            ))
        };
        let mut counted = Counted { n_classes: self.classes.len(), ..Counted::default() };
        if !sources.is_empty() {
            let data = out.join("tests.exec");
            let runs =
                [run_junit(counting(&data), &path, &classes), run_junit(None, &path, &classes)];
            row.passing += runs.iter().map(|run| run.0).min().unwrap_or(0);
            complaints.extend(runs.into_iter().flat_map(|run| run.1));
        }
        match self.totals(out, "tests.exec") {
            Ok(totals) => counted.tests = totals,
            Err(message) => complaints.push(format!("JaCoCo: {message}")),
        }
        if asked.random {
            match self.call_at_random(out, row.cpu, counting(&out.join("random.exec"))) {
                Ok(totals) => counted.random = Some(totals),
                Err(message) => complaints.push(format!("random calls: {message}")),
            }
        }
        counted.processor = processor_times(out);
        row.java = Some(counted);
    }

    /// What JaCoCo instruments: the packages of the library.
    fn packages(&self) -> String {
        let package = |name: &String| match name.rsplit_once('.') {
            Some((package, _)) => format!("{package}.*"),
            None => name.clone(),
        };
        let mut packages: Vec<String> = self.classes.iter().map(package).collect();
        packages.sort();
        packages.dedup();
        packages.join(":")
    }

    /// Writes a program and the names of the classes beside the tests.
    fn prepare(&self, out: &Path, name: &str, text: &str) -> Result<(PathBuf, PathBuf), String> {
        let (program, names) = (out.join(name), out.join("classes.txt"));
        let written = fs::write(&program, text);
        let written = written.and_then(|()| fs::write(&names, self.classes.join("\n")));
        written.map_err(|error| format!("{}: {error}", out.display()))?;
        Ok((program, names))
    }

    fn totals(&self, out: &Path, data: &str) -> Result<Totals, String> {
        let (program, names) = self.prepare(out, "Totals.java", TOTALS)?;
        let mut java = Command::new("java");
        java.args(["-cp", JACOCO]).arg(program).arg(&self.jar).arg(names).arg(out.join(data));
        let said = output(&mut java)?;
        let numbers: Vec<usize> =
            said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        numbers.try_into().map(Totals).map_err(|_| said)
    }

    /// Calls for so many seconds of the processor.
    fn call_at_random(
        &self,
        out: &Path,
        seconds: f64,
        counting: Option<String>,
    ) -> Result<Totals, String> {
        let (program, names) = self.prepare(out, "RandomCalls.java", RANDOM_CALLS)?;
        let scratch = out.join("scratch");
        fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        let mut java = Command::new("java");
        java.args(counting).args(["-ea", "-Xmx1g", "-cp", &self.class_path]).arg(program);
        java.arg(seconds.to_string()).arg(names).current_dir(scratch);
        output(&mut java)?;
        self.totals(out, "random.exec")
    }
}

/// What a command prints; what it says where it fails.
fn output(command: &mut Command) -> Result<String, String> {
    let made = command.output().map_err(|error| error.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if made.status.success() { Ok(text(&made.stdout)) } else { Err(text(&made.stderr)) }
}

/// JaCoCo's agent, which Debian keeps in another jar.
fn agent(out: &Path) -> Option<PathBuf> {
    let unpacked = out.join("jacocoagent.jar");
    let mut jar = Command::new("jar");
    output(jar.args(["xf", AGENT, "jacocoagent.jar"]).current_dir(out)).ok()?;
    unpacked.exists().then_some(unpacked)
}

/// By method, from times.json.
fn processor_times(out: &Path) -> Vec<f64> {
    let text = fs::read_to_string(out.join("times.json")).unwrap_or_default();
    let times: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let functions = times["functions"].as_array().cloned().unwrap_or_default();
    let micros = functions.iter().filter_map(|function| function["processor"].as_f64());
    let mut seconds: Vec<f64> = micros.map(|micros| micros / 1e6).collect();
    seconds.sort_by(f64::total_cmp);
    seconds
}

fn java_files(folder: &Path) -> Vec<PathBuf> {
    let inner = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    inner
        .flat_map(|path| if path.is_dir() { java_files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ending| ending == "java"))
        .collect()
}

/// How many tests pass, and what is said of the others.
fn run_junit(counting: Option<String>, path: &str, classes: &Path) -> (usize, Vec<String>) {
    let run = Command::new("timeout")
        .args(["600", "java"])
        .args(counting)
        .args(["-ea", "-Xss8m", "-jar", JUNIT, "--details=tree"])
        .args(["--disable-ansi-colors", "-cp", path, "--scan-classpath"])
        .arg(classes)
        .output();
    let said = run.map(|run| String::from_utf8_lossy(&run.stdout).into_owned()).unwrap_or_default();
    let number = |line: &str| line.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    let passing = said.lines().find(|line| line.contains("tests successful")).and_then(number);
    let failed = said.lines().filter(|line| line.contains(" [X] "));
    (passing.unwrap_or(0), failed.map(|line| line.trim().to_owned()).collect())
}

/// The second table.
pub(super) fn table(counted: &[(String, Counted)], asked: &Asked) -> String {
    let twice = 2.0 * asked.seconds();
    let mut text = format!(
        "| library | classes | lines by tests | branches by tests | lines by random calls | branches by random calls | \
         CPU s a method: median | longest | above {twice} s |\n|{}\n",
        "---|".repeat(9)
    );
    let of = |part: usize, whole: usize| {
        format!("{part} of {whole} ({:.1} %)", 100.0 * part as f64 / whole.max(1) as f64)
    };
    for (name, seen) in counted {
        let Totals([lines, all_lines, branches, all_branches]) = seen.tests;
        let random = match seen.random {
            Some(Totals([lines, all_lines, branches, all_branches])) => {
                format!("{} | {}", of(lines, all_lines), of(branches, all_branches))
            }
            None => "· | ·".to_owned(),
        };
        let above = seen.processor.iter().filter(|seconds| **seconds > twice).count();
        let median = seen.processor.get(seen.processor.len() / 2).copied().unwrap_or(0.0);
        let longest = seen.processor.last().copied().unwrap_or(0.0);
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {random} | {median:.2} | {longest:.2} | {above} |",
            seen.n_classes,
            of(lines, all_lines),
            of(branches, all_branches),
        );
    }
    text
}
