//! A class with random methods, and the run of all their inputs.

use std::fmt::Write as _;
use std::path::Path;

use super::super::truth::Truth;
use super::super::{Batch, Function, marked};
use crate::java::{Jdk, succeed};
use crate::{Random, folder};

/// The class that random methods are in.
const CLASS: &str = "Batch";

/// How many inputs of one method are run at most, and how many with classes of their own.
const MOST_RUNS: u64 = 70_000;
const MOST_FRESH: u64 = 40;

/// A class with random methods, as it is asked about and as it is run.
#[derive(Debug, Clone)]
pub(in crate::enumerated) struct JavaBatch {
    pub(in crate::enumerated) batch: Batch,
    /// Calls of the drivers.
    calls: String,
}

/// Methods of Java with the numbers `first..first + count`: the same number gives the same method in every batch.
pub(in crate::enumerated) fn java_batch(first: u64, count: usize) -> JavaBatch {
    let mut marked =
        format!("public class {CLASS} {{ static int bad(int k) {{ return k; }}\n{}", super::TYPES);
    let (mut drivers, mut calls, mut functions, mut n_probes) =
        (String::new(), String::new(), Vec::new(), 0);
    for seed in (first..).take(count) {
        let id = usize::try_from(seed).expect("seeds are small");
        let written = super::method(&mut Random::new(seed), id, n_probes);
        n_probes += written.n_probes;
        marked.push_str(&written.text);
        let n_inputs: u64 = written.params.iter().map(|ty| n_values(ty)).product();
        let most = if written.needs_fresh_classes { MOST_FRESH } else { MOST_RUNS };
        // An odd step meets odd and even numbers.
        let step = if n_inputs > most { (n_inputs / most) | 1 } else { 1 };
        let _ = writeln!(
            drivers,
            "  static void drive{id}(long from, long to) {{\n    for (long all = from; all < to; all += {step}) {{\n      {}long rest = all; try {{",
            written.reset
        );
        let mut arguments = Vec::new();
        for ty in &written.params {
            let value = format!("take(rest, {})", n_values(ty));
            arguments.push(if *ty == "boolean" {
                format!("{value} == 1")
            } else {
                format!("({ty}) {value}")
            });
        }
        // Each argument takes its part of the number.
        let mut divisor = 1;
        let arguments: Vec<String> = arguments
            .iter()
            .zip(&written.params)
            .map(|(argument, ty)| {
                let text = argument.replace("rest", &format!("rest / {divisor}"));
                divisor *= n_values(ty);
                text
            })
            .collect();
        let _ = writeln!(
            drivers,
            "      m{id}({}); }} catch (Throwable thrown) {{ Probes.thrown(thrown); }}\n    }}\n  }}",
            arguments.join(", ")
        );
        let fresh = written.needs_fresh_classes;
        let _ = writeln!(calls, "    run(\"drive{id}\", {n_inputs}L, {step}L, {fresh});");
        functions.push(Function { name: format!("m{id}"), is_complete: step == 1 });
    }
    marked.push_str("}\n");
    let batch = Batch { is_java: true, ..Batch::new(marked, drivers, functions) };
    JavaBatch { batch, calls }
}

fn n_values(ty: &str) -> u64 {
    match ty {
        "boolean" => 2,
        "byte" => 1 << 8,
        _ => 1 << 16,
    }
}

impl JavaBatch {
    /// Runs every method with all its values.
    pub(in crate::enumerated) fn truth(&self, jdk: &Jdk) -> Truth {
        let mut probed = marked::probed(&self.batch.marked).replacen(
            "static int bad(int k) { return k; }",
            "static int bad(int k) { Probes.hit(k); return k; } static void hit(int k) { Probes.hit(k); } \
             static long take(long number, long count) { return number % count; }",
            1,
        );
        let end = probed.rfind('}').expect("a class ends");
        probed.insert_str(end, &self.batch.drivers);
        let main = include_str!("Probes.java").replace("/* calls */", &self.calls);
        let folder = folder::with_files(&[("Batch.java", &probed), ("Probes.java", &main)]);
        let classes = folder.path().join("classes");
        let sources = [folder.path().join("Batch.java"), folder.path().join("Probes.java")];
        jdk.compile(&[], &sources, &classes);
        let mut java = jdk.program("java");
        java.args([
            "-ea",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-XX:-OmitStackTraceInFastThrow",
            "-cp",
        ]);
        let output = succeed(java.arg(&classes).arg("Probes").arg(&classes));
        Truth::parse(&String::from_utf8_lossy(&output.stdout))
            .expect("the probes print what is read here")
    }

    /// Compiles the class as it is asked about.
    pub(in crate::enumerated) fn compile(&self, jdk: &Jdk, folder: &Path) {
        let source = folder.join("Batch.java");
        std::fs::write(&source, &self.batch.text).expect("a file can be written");
        jdk.compile(&[], &[source], &folder.join("classes"));
    }
}
