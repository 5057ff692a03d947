//! The kept benchmarks: each is an example program that measures and prints; nothing is asserted.

use crate::cargo;

/// (name, package, example)
const BENCHMARKS: &[(&str, &str, &str)] = &[
    ("gen", "glassbox-cli", "bench_gen"),
    ("interp", "glassbox-interp", "bench_interp"),
    ("java", "glassbox-cli", "bench_java"),
    ("lower", "glassbox-c-front", "bench_lower"),
    ("proofs", "glassbox-prove", "ablation"),
    ("solutions", "glassbox-explore", "bench_solutions"),
    ("solver", "glassbox-solver", "bench_solver"),
];

/// Runs the named benchmarks, or all.
pub(crate) fn run(names: &[String]) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|name| !BENCHMARKS.iter().any(|b| b.0 == **name)) {
        let known: Vec<&str> = BENCHMARKS.iter().map(|benchmark| benchmark.0).collect();
        return Err(format!("no benchmark `{unknown}`; there are: {}", known.join(" ")));
    }
    for (name, package, example) in BENCHMARKS {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            println!("== {name}");
            if *package == "glassbox-cli" {
                cargo(&["build", "--release", "--quiet", "--package", package])?;
            }
            cargo(&["run", "--release", "--quiet", "--package", package, "--example", example])?;
        }
    }
    Ok(())
}
