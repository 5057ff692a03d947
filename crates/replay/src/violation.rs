//! Counter-examples on the real machine: an assertion must stop the compiled program; a run-time error is
//! looked for with the compiler's sanitizers.

use std::fs;
use std::path::Path;

use glassbox_emit::{TestFile, c_runtime, plain, replaced};
use glassbox_ir::CheckKind;

use crate::blame;
use crate::compiler::{Compiler, Included};
use crate::confirm::ReplayError;
use crate::sandbox::{Finished, Limits, run};

/// What the compiled program did with one counter-example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// The assertion stopped it.
    Aborted,
    /// A sanitizer saw the error; its words.
    Sanitizer(String),
    /// The machine stopped it.
    Signal(String),
    /// The JVM threw an exception of this class.
    Thrown(String),
    /// What a specification means shows it; in words.
    Specified(String),
    /// It ended as if nothing had happened; how.
    NotSeen(String),
    /// It could not be run; why.
    NotRun(String),
    /// No source text makes it, as the compiler or the JVM says; why.
    NotWritten(String),
}

/// The error that a counter-example should show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub kind: CheckKind,
    /// Where an assertion says its text when it fails.
    pub assertion: Option<Assertion>,
}

/// An assertion as its message names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    pub text: String,
    /// Lines of other assertions with the same text.
    pub twins: Vec<u32>,
}

impl Assertion {
    /// What the program stopped at instead, if it says that it did.
    fn other(&self, output: &str) -> Option<String> {
        let plain = |text: &str| -> String { text.split_whitespace().collect() };
        let (line, text) = output.lines().find_map(failed_assertion)?;
        let is_it = plain(text) == plain(&self.text) && !self.twins.contains(&line);
        (!is_it).then(|| format!("`{text}` of line {line} fails first"))
    }
}

/// Line and text in `program: file.c:7: f: Assertion `x > 0' failed.`
fn failed_assertion(line: &str) -> Option<(u32, &str)> {
    let (place, rest) = line.split_once(": Assertion `")?;
    let text = rest.strip_suffix("' failed.")?;
    let number = place.rsplit(": ").nth(1)?.rsplit(':').next()?;
    Some((number.parse().ok()?, text))
}

/// Counter-examples of one function.
#[derive(Debug)]
pub struct Violations<'a> {
    pub compiler: &'a Compiler,
    /// A folder of its own, which exists.
    pub folder: &'a Path,
    pub file: &'a TestFile<'a>,
    /// The source under test, absolute.
    pub source: &'a Path,
    /// By test: what should go wrong.
    pub wanted: &'a [Wanted],
    /// Signed overflow wraps around.
    pub is_wrapping: bool,
}

const SANITIZE: &[&str] =
    &["-g", "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"];

/// Flags that let the compiler see run-time errors.
pub fn sanitizer_flags(is_wrapping: bool) -> Vec<String> {
    let wrap = if is_wrapping { &["-fwrapv"][..] } else { &[] };
    SANITIZE.iter().chain(wrap).map(|flag| (*flag).to_owned()).collect()
}

/// Builds and runs every counter-example: assertions without sanitizers, the rest with them.
pub fn confirm_violations(violations: &Violations<'_>) -> Result<Vec<Evidence>, ReplayError> {
    let folder = violations.folder;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| ReplayError::Io(path, error))
    };
    write("glassbox.h", c_runtime::HEADER)?;
    write("glassbox.c", c_runtime::SOURCE)?;
    let mut file = violations.file.clone();
    file.include = violations.source.display().to_string();
    write("test.c", &plain::test_file(&file))?;
    let is_assertion = |wanted: &Wanted| wanted.kind == CheckKind::Assertion;
    let mut wrap: Vec<String> =
        if violations.is_wrapping { vec!["-fwrapv".to_owned()] } else { Vec::new() };
    replaced::add_flags(&mut wrap, violations.file);
    let plain_built = if violations.wanted.iter().any(is_assertion) {
        build(violations, &wrap, "plain")?
    } else {
        Err("not needed".to_owned())
    };
    let sanitized_built = if violations.wanted.iter().all(is_assertion) {
        Err("not needed".to_owned())
    } else {
        let mut flags = sanitizer_flags(violations.is_wrapping);
        replaced::add_flags(&mut flags, violations.file);
        build(violations, &flags, "sanitized")?
    };
    let mut evidence = Vec::new();
    for (test, wanted) in violations.file.tests.iter().zip(violations.wanted) {
        if wanted.kind == CheckKind::Endless {
            let why = "a run that never ends is not repeated".to_owned();
            evidence.push(Evidence::NotRun(why));
            continue;
        }
        let (built, program, limits) = if is_assertion(wanted) {
            (&plain_built, "./plain", Limits::test())
        } else {
            (&sanitized_built, "./sanitized", Limits::sanitized_test())
        };
        evidence.push(match built {
            Err(why) => Evidence::NotRun(why.clone()),
            Ok(()) => {
                let finished = run(folder, program, std::slice::from_ref(&test.name), &[], limits)
                    .map_err(|error| ReplayError::Io(folder.join(program), error))?;
                judge(&finished, wanted)
            }
        });
    }
    Ok(evidence)
}

/// `Err` inside when the compiler refuses.
fn build(
    violations: &Violations<'_>,
    extra: &[String],
    program: &str,
) -> Result<Result<(), String>, ReplayError> {
    let finished = violations
        .compiler
        .build(violations.folder, Included::Source, extra, program)
        .map_err(|error| ReplayError::Io(violations.source.to_owned(), error))?;
    Ok(if finished.succeeded() {
        Ok(())
    } else {
        Err(format!("it does not compile: {}", blame::first(&finished.output)))
    })
}

fn judge(finished: &Finished, wanted: &Wanted) -> Evidence {
    let kind = wanted.kind;
    let is_as_expected = finished.code() == Some(0);
    if kind == CheckKind::Leak {
        // Where it may not look at the process, the leak checker gives up with the same status.
        let summary = finished.output.lines().find(|line| line.contains(" leaked in "));
        let words = summary.and_then(|line| line.split("Sanitizer: ").nth(1));
        return match words {
            Some(words) => Evidence::Sanitizer(words.trim_end_matches('.').to_owned()),
            None if finished.output.contains("LeakSanitizer has encountered a fatal error") => {
                Evidence::NotRun("LeakSanitizer cannot work here".to_owned())
            }
            None => Evidence::NotSeen(ending(finished)),
        };
    }
    if matches!(kind, CheckKind::Assertion | CheckKind::Precondition | CheckKind::Relation) {
        return match finished.status {
            _ if is_as_expected => {
                let other = wanted.assertion.as_ref().and_then(|it| it.other(&finished.output));
                other.map_or(Evidence::Aborted, Evidence::NotSeen)
            }
            // Long loops that the interpreter leaps over: no contradiction.
            None => Evidence::NotRun("the compiled program takes too long".to_owned()),
            Some(_) => Evidence::NotSeen(ending(finished)),
        };
    }
    // The summary comes after the bare word that the machine stopped it.
    let words = finished.output.lines().filter_map(sanitizer_words);
    let words = words.reduce(|first, next| if first == "DEADLYSIGNAL" { next } else { first });
    match words {
        Some(words) if is_other_arithmetic(kind, &words) => {
            Evidence::NotSeen(format!("another error comes first: {words}"))
        }
        Some(words) => Evidence::Sanitizer(words),
        None if is_as_expected => Evidence::Signal("the machine stops it".to_owned()),
        None => Evidence::NotSeen(ending(finished)),
    }
}

/// What a sanitizer says on this line, if it does.
fn sanitizer_words(line: &str) -> Option<String> {
    let start = ["runtime error: ", "AddressSanitizer: ", "AddressSanitizer:"]
        .iter()
        .find_map(|mark| line.find(mark).map(|at| at + mark.len()))?;
    Some(cut_addresses(line.get(start..)?.trim()))
}

/// Whether a sanitizer speaks of another error in arithmetic than this. Compilers rewrite `n - 1 < 0` to `n < 1`, so that
/// an overflow goes by and what comes after it is reported.
fn is_other_arithmetic(kind: CheckKind, words: &str) -> bool {
    let seen: &[CheckKind] = if words.contains("division by zero") {
        &[CheckKind::DivisionByZero]
    } else if words.starts_with("shift exponent") {
        &[CheckKind::ShiftAmount]
    } else if words.starts_with("left shift of") {
        &[CheckKind::ShiftOverflow]
    } else if ["signed integer overflow", "negation of", "division of"]
        .iter()
        .any(|start| words.starts_with(start))
    {
        &[CheckKind::SignedOverflow]
    } else {
        return false;
    };
    let is_arithmetic = matches!(
        kind,
        CheckKind::DivisionByZero
            | CheckKind::SignedOverflow
            | CheckKind::ShiftAmount
            | CheckKind::ShiftOverflow
    );
    is_arithmetic && !seen.contains(&kind)
}

/// Without addresses, which differ from run to run.
fn cut_addresses(words: &str) -> String {
    let kept: Vec<&str> =
        words.split(' ').take_while(|word| !word.starts_with("0x") && *word != "pc").collect();
    let mut text = kept.join(" ");
    for ending in [" on address", " on unknown address", " on"] {
        if let Some(shorter) = text.strip_suffix(ending) {
            text = shorter.to_owned();
        }
    }
    text
}

fn ending(finished: &Finished) -> String {
    match finished.status {
        None => "it runs too long".to_owned(),
        Some(_) => "the compiled program goes on".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use glassbox_ir::CheckKind;

    use super::{Assertion, cut_addresses, is_other_arithmetic};

    #[test]
    fn another_assertion_is_not_the_one_asked_for() {
        let output = "./plain: /tmp/a b.c:7: f: Assertion `x  > 0' failed.\nok   f_1";
        let asked = |text: &str, twins: &[u32]| {
            Assertion { text: text.to_owned(), twins: twins.to_vec() }.other(output)
        };
        assert_eq!(asked("x > 0", &[]), None);
        let other = Some("`x  > 0` of line 7 fails first".to_owned());
        assert_eq!(asked("x < 0", &[]), other);
        assert_eq!(asked("x > 0", &[7]), other);
        let silent = Assertion { text: "x > 0".to_owned(), twins: Vec::new() };
        assert_eq!(silent.other("ok   f_1"), None);
    }

    #[test]
    fn another_error_in_arithmetic_confirms_nothing() {
        let other = is_other_arithmetic;
        assert!(other(CheckKind::SignedOverflow, "division by zero"));
        assert!(!other(CheckKind::DivisionByZero, "division by zero"));
        assert!(!other(
            CheckKind::SignedOverflow,
            "division of -2147483648 by -1 cannot be represented in type 'int'"
        ));
        assert!(!other(CheckKind::OutOfBounds, "division by zero"));
    }

    #[test]
    fn addresses_are_left_out() {
        let seen = "stack-buffer-overflow on address 0x7ffd at pc 0x55 bp 0x7f";
        assert_eq!(cut_addresses(seen), "stack-buffer-overflow");
        assert_eq!(cut_addresses("division by zero"), "division by zero");
    }
}
