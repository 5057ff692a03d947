//! A file with random functions, and the run of all their inputs.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use tempfile::TempDir;

use super::super::truth::Truth;
use super::super::{Batch, Function, marked};
use super::inputs::Input;
use crate::{Random, folder, gcc};

/// Functions of C with the numbers `first..first + count`: the same number gives the same function in every batch.
///
/// All runs are made once without assertions, since some conditions are about the greatest and least values that occur: one
/// that nearly always has the same value is distinguished from one that always has it. Then they are made once more, and
/// what they show is the truth.
pub(in crate::enumerated) fn c_batch(first: u64, count: usize) -> Result<(Batch, Truth), String> {
    let mut marked = super::TYPES.to_owned();
    let mut drivers = String::new();
    let mut functions = Vec::new();
    let mut n_probes = 0;
    for seed in (first..).take(count) {
        let mut random = Random::new(seed);
        let id = usize::try_from(seed).expect("seeds are small");
        let written = super::function(&mut random, id, n_probes);
        n_probes += written.n_probes;
        marked.push_str(&written.text);
        let is_complete = drive(&mut drivers, id, &written.inputs) && !written.has_more_inputs;
        functions.push(Function { name: format!("f{id}"), is_complete });
    }
    let unbounded = Batch::new(marked, drivers, functions);
    let truth = unbounded.run()?;
    let marked = marked::with_bounds(&unbounded.marked, |probe| truth.observed(probe));
    Ok((Batch::new(marked, unbounded.drivers, unbounded.functions), truth))
}

/// What the sanitizer knows of places is far more than the variables of the program, which are put back before each run:
/// it is kept apart from them.
const APART: &str =
    "SECTIONS { .places : { *(.data..Lubsan* .data.rel.local..Lubsan*) } } INSERT BEFORE .data;\n";

const PROBES_HEADER: &str = include_str!("probes.h");

/// The probes, compiled once for all batches: most of a run's time is theirs.
fn probes() -> Result<PathBuf, String> {
    static COMPILED: OnceLock<Result<(TempDir, PathBuf), String>> = OnceLock::new();
    let compiled = COMPILED.get_or_init(|| {
        let files = [("probes.c", include_str!("probes.c")), ("probes.h", PROBES_HEADER)];
        let folder = folder::with_files(&files);
        let object = folder.path().join("probes.o");
        gcc::compile(&[folder.path().join("probes.c")], &["-O2", "-c"], &object)?;
        Ok((folder, object))
    });
    compiled.as_ref().map(|(_, object)| object.clone()).map_err(Clone::clone)
}

impl Batch {
    /// The file that is compiled and run.
    fn probed(&self) -> String {
        let n_probes = self.places.iter().map(|place| place.probe + 1).max().unwrap_or(0);
        let n_lines = self.text.lines().count() + 1;
        let probed = marked::probed(&self.marked);
        let mut text = probed.replacen("#include <assert.h>", "#include \"probes.h\"", 1);
        text.push_str(&self.drivers);
        let _ = writeln!(text, "int main(void)\n{{\n  probes_begin({n_probes}, {n_lines});");
        for pass in ["  probes_compare();\n", ""] {
            for function in &self.functions {
                let _ = writeln!(text, "  drive_{}();", function.name);
            }
            text.push_str(pass);
        }
        text.push_str("  probes_print();\n  return 0;\n}\n");
        text
    }

    /// Runs every function with all its values; what gcc says where it does not accept the program.
    fn run(&self) -> Result<Truth, String> {
        let probed = self.probed();
        let files =
            [("batch.c", probed.as_str()), ("probes.h", PROBES_HEADER), ("apart.ld", APART)];
        let folder = folder::with_files(&files);
        let paths = [folder.path().join("batch.c"), probes()?];
        let program = folder.path().join("program");
        let layout = format!("-Wl,-T,{}", folder.path().join("apart.ld").display());
        let checked = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];
        let flags = [&["-O0"], &checked[..], &["-fdata-sections", &layout]].concat();
        gcc::compile(&paths, &flags, &program)?;
        let ended = gcc::run_limited(&program, &[], &[], Duration::from_secs(120));
        if !ended.status.is_some_and(|status| status.success()) {
            return Err(format!("the compiled batch ends with {:?}", ended.status));
        }
        Truth::parse(&String::from_utf8_lossy(&ended.stdout))
            .ok_or_else(|| "the probes print something else".to_owned())
    }
}

/// About so many combinations of values are tried at most.
const MOST: usize = 70_000;

/// Writes the function that runs one function with all its values; whether these are all there are.
fn drive(text: &mut String, id: usize, inputs: &[Input]) -> bool {
    let product =
        |is_narrow| inputs.iter().map(|input| input.n_values(is_narrow)).product::<usize>();
    let is_narrow = product(false) > MOST;
    // Every n-th combination where there are still too many.
    let step = (product(is_narrow) / MOST).max(1);
    let _ = writeln!(
        text,
        "static void drive_f{id}(void)\n{{\n  for (long all = 0; all < {}; all += {step}) {{",
        product(is_narrow)
    );
    text.push_str("    long rest = all; run_begin();\n");
    let mut arguments = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let n_values = input.n_values(is_narrow);
        let (set, argument) = input.set(&format!("n{number}"), is_narrow);
        let _ = writeln!(text, "    int n{number} = rest % {n_values}; rest /= {n_values}; {set}");
        arguments.extend(argument);
    }
    let _ = writeln!(
        text,
        "    int how = setjmp(*probe_exit);\n    if (!how) {{ f{id}({}); how = RETURNED; }}\n    run_end(how);\n  }}\n}}",
        arguments.join(", ")
    );
    step == 1 && !is_narrow && inputs.iter().all(Input::is_complete)
}
