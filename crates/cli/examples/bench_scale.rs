//! What runs cost that find most of it known: a generated project, and one of the user's, cold, warm, after one change and in
//! parts.
//!
//! Arguments: [--functions N] [--folder DIR] [--timeout S] [--command FILE]. `--folder` names a C project as it was checked
//! out. The command that is measured is the one beside this program, or the one that is named.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark prints what it measures"
)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const USAGE: &str =
    "usage: cargo xtask bench scale [--functions N] [--folder DIR] [--timeout S] [--command FILE]";

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), String> {
    let (mut most, mut folder, mut timeout) = (2000, None, "0.2".to_owned());
    let mut command = None;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(USAGE)?;
        match word.as_str() {
            "--functions" => most = value.parse().map_err(|_| USAGE)?,
            "--folder" => folder = Some(PathBuf::from(value)),
            "--timeout" => timeout = value,
            "--command" => command = Some(PathBuf::from(value)),
            _ => return Err(USAGE.to_owned()),
        }
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let beside = own.ancestors().nth(2).ok_or("no folder of programs")?.join("glassbox");
    let bench = Bench {
        command: fs::canonicalize(command.unwrap_or(beside)).map_err(|error| error.to_string())?,
    };
    println!("{:<34} {:>9} {:>9} {:>9}  known", "run", "seconds", "CPU", "peak MB");
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut size = most / 8;
    while size >= 1 && size <= most {
        bench.generated(place.path(), size, size == most)?;
        size *= 2;
    }
    bench.listed(place.path(), 800)?;
    if let Some(folder) = folder {
        bench.given(&place.path().join("user"), &folder, &timeout)?;
    }
    Ok(())
}

/// What is measured.
struct Bench {
    command: PathBuf,
}

impl Bench {
    /// Files of ten functions, some of which call each other.
    fn generated(&self, place: &Path, size: usize, is_last: bool) -> Result<(), String> {
        let own = place.join(size.to_string());
        let write = |number: usize, twist: usize| {
            fs::create_dir_all(own.join("src")).map_err(|error| error.to_string())?;
            fs::write(own.join(format!("src/f{number}.c")), source(number, twist))
                .map_err(|error| error.to_string())
        };
        for number in 0..size.div_ceil(10) {
            write(number, 0)?;
        }
        settle();
        let words = ["gen", "src", "--out", "o"];
        show(&format!("{size} functions, cold"), &self.run(&own, &words)?);
        show(&format!("{size} functions, warm"), &self.run(&own, &words)?);
        if !is_last {
            return Ok(());
        }
        write(3, 1)?;
        show(&format!("{size} functions, one changed"), &self.run(&own, &words)?);
        write(3, 0)?;
        self.in_parts(&own, &format!("{size} functions"), &words)
    }

    /// A project of the user's, which is copied, because a function of it is changed.
    fn given(&self, own: &Path, folder: &Path, timeout: &str) -> Result<(), String> {
        fs::create_dir_all(own).map_err(|error| error.to_string())?;
        let copied = Command::new("cp").arg("-rL").arg(folder).arg(own.join("src")).status();
        copied.map_err(|error| error.to_string())?;
        settle();
        let words = ["gen", "src", "--out", "o", "--timeout", timeout];
        show("project, cold", &self.run(own, &words)?);
        show("project, warm", &self.run(own, &words)?);
        let suite =
            fs::read_to_string(own.join("o/suite.json")).map_err(|error| error.to_string())?;
        let names = suite.split("\"file\": \"").skip(1).filter_map(|rest| rest.split('"').next());
        let changed = names.filter_map(|name| {
            let text = fs::read_to_string(own.join(name)).ok()?;
            text.contains("\n}\n").then(|| (own.join(name), text))
        });
        let Some((path, text)) = changed.into_iter().next() else {
            return Err("no function was found that can be changed".to_owned());
        };
        let write = |text: &str| fs::write(&path, text).map_err(|error| error.to_string());
        // The text of a function counts, whatever it means.
        write(&text.replacen("\n}\n", "\n;}\n", 1))?;
        show("project, one changed", &self.run(own, &words)?);
        write(&text)?;
        self.in_parts(own, "project", &words)
    }

    /// The same in four parts that know nothing, put together.
    fn in_parts(&self, own: &Path, what: &str, words: &[&str]) -> Result<(), String> {
        // What parts are to become begins with nothing, as they do.
        fs::remove_dir_all(own.join("o")).map_err(|error| error.to_string())?;
        show(&format!("{what}, changed back"), &self.run(own, words)?);
        let whole = fs::read(own.join("o/suite.json")).map_err(|error| error.to_string())?;
        fs::remove_dir_all(own.join("kept")).map_err(|error| error.to_string())?;
        for index in 1..=4 {
            let (part, out) = (format!("{index}/4"), format!("s{index}"));
            let mut words = words.to_vec();
            words.extend(["--out", &out, "--shard", &part]);
            let at = words.iter().position(|word| *word == "--out").ok_or("no folder")?;
            words.drain(at..at + 2);
            show(&format!("{what}, part {part}"), &self.run(own, &words)?);
        }
        let words = ["merge", "s1", "s2", "s3", "s4", "--out", "o"];
        fs::remove_dir_all(own.join("o")).map_err(|error| error.to_string())?;
        show(&format!("{what}, merge"), &self.run(own, &words)?);
        let merged = fs::read(own.join("o/suite.json")).map_err(|error| error.to_string())?;
        println!("merged suite is the whole one: {}", whole == merged);
        Ok(())
    }

    /// One file with so many functions, and what is in it.
    fn listed(&self, place: &Path, size: usize) -> Result<(), String> {
        let sources = (0..size / 10).map(|number| source(number, 0));
        let text: String = sources
            .enumerate()
            .flat_map(|(number, text)| {
                let lines: Vec<String> =
                    text.lines().skip(3 * number.min(1)).map(str::to_owned).collect();
                lines
            })
            .map(|line| line + "\n")
            .collect();
        fs::write(place.join("one.c"), text).map_err(|error| error.to_string())?;
        show(&format!("{size} functions in one file, list"), &self.run(place, &["list", "one.c"])?);
        Ok(())
    }

    /// Runs the command in a folder, with results kept below it.
    fn run(&self, place: &Path, words: &[&str]) -> Result<Measured, String> {
        let begun = Instant::now();
        // Parts are worked on by machines that know nothing.
        let is_off = if words.contains(&"--shard") { "1" } else { "" };
        let mut child = Command::new(&self.command)
            .args(words)
            .current_dir(place)
            .env("GLASSBOX_NO_CACHE", is_off)
            .env("XDG_CACHE_HOME", place.join("kept"))
            .stdout(Stdio::null())
            .stderr(fs::File::create(place.join("said")).map_err(|error| error.to_string())?)
            .spawn()
            .map_err(|error| format!("{}: {error}", self.command.display()))?;
        let status = format!("/proc/{}/status", child.id());
        let used = format!("/proc/{}/stat", child.id());
        let (mut peak_megabytes, mut processor) = (0, 0.0f64);
        loop {
            let text = fs::read_to_string(&used).unwrap_or_default();
            processor = processor.max(processor_seconds(&text).unwrap_or(0.0));
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes =
                line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
            peak_megabytes = peak_megabytes.max(kilobytes.unwrap_or(0) / 1024);
            match child.try_wait() {
                Ok(Some(status)) if status.code().is_none_or(|code| code == 2 || code == 4) => {
                    let said = fs::read_to_string(place.join("said")).unwrap_or_default();
                    return Err(format!("{words:?} ended with {status}:\n{said}"));
                }
                Ok(Some(_)) => break,
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                Err(error) => return Err(error.to_string()),
            }
        }
        let time = begun.elapsed();
        let said = fs::read_to_string(place.join("said")).unwrap_or_default();
        let known = said.lines().find(|line| line.contains("were known from earlier runs"));
        let known =
            known.map_or(String::new(), |line| line.trim_start_matches("glassbox: ").to_owned());
        Ok(Measured { time, processor, peak_megabytes, known })
    }
}

/// What was changed just now is preprocessed every time, which is not what a second run of a user meets.
fn settle() {
    std::thread::sleep(Duration::from_secs(3));
}

fn source(number: usize, twist: usize) -> String {
    let mut text = String::from(
        "#include <string.h>\n#include <stdlib.h>\nstruct item { int key; short kind; char name[12]; };\n",
    );
    for position in 0..10 {
        let name = format!("f{number}_{position}");
        let constant = number * 31 + position * 7 + if position == 5 { twist } else { 0 };
        let callee = if position % 3 == 2 {
            format!("if (f{number}_{}(a, b) == 1) return 4;", position - 1)
        } else {
            String::new()
        };
        let body = match position % 5 {
            0 => format!("if (a > {constant} && b < a) return 1; return a == b ? 2 : 3;"),
            1 => format!(
                "int s = 0; for (int i = 0; i < (a & 7); i++) s += b; if (s == {constant}) return 1; return 0;"
            ),
            2 => format!(
                "switch (a) {{ case {constant}: return 1; case {}: return 2; default: return b > 3; }}",
                constant + 1
            ),
            3 => format!(
                "struct item x = {{ a, (short)b, \"n{position}\" }}; if (x.key == {constant}) return x.kind; return -1;"
            ),
            _ => format!(
                "unsigned u = (unsigned)a ^ 0x{constant:x}u; if (u % 7 == 3 && (u >> 3) == 5) return 1; return (int)(u & 1);"
            ),
        };
        let _ = writeln!(text, "int {name}(int a, int b) {{ {callee} {body} }}");
    }
    text
}

struct Measured {
    time: Duration,
    /// Of the processor, with compilers and tests.
    processor: f64,
    peak_megabytes: u64,
    known: String,
}

fn show(what: &str, measured: &Measured) {
    let Measured { time, processor, peak_megabytes, known } = measured;
    let seconds = time.as_secs_f64();
    println!("{what:<34} {seconds:>9.2} {processor:>9.2} {peak_megabytes:>9}  {known}");
}

/// What a process and those that it waited for have used: hundredths of seconds, behind its name.
fn processor_seconds(stat: &str) -> Option<f64> {
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
    let ticks: Option<Vec<f64>> = fields.map(|field| field.parse().ok()).collect();
    Some(ticks?.iter().sum::<f64>() / 100.0)
}
