//! The kept benchmarks: each is an example program that measures and prints; nothing is asserted.

use crate::{cargo, cargo_command, workspace_root};

/// (name, package, example)
const BENCHMARKS: &[(&str, &str, &str)] = &[
    ("gen", "glassbox-cli", "bench_gen"),
    ("interp", "glassbox-interp", "bench_interp"),
    ("java", "glassbox-cli", "bench_java"),
    ("lower", "glassbox-c-front", "bench_lower"),
    ("lsp", "glassbox-cli", "bench_lsp"),
    ("proofs", "glassbox-prove", "ablation"),
    ("solutions", "glassbox-explore", "bench_solutions"),
    ("solver", "glassbox-solver", "bench_solver"),
];

/// (name, example): what needs a folder of sources is run when it is named, never with the others.
const ON_FOLDERS: &[(&str, &str)] = &[
    ("itc", "bench_itc"),
    ("projects", "bench_projects"),
    ("scale", "bench_scale"),
    ("svcomp", "bench_svcomp"),
];

/// Runs the named benchmarks, or all.
pub(crate) fn run(names: &[String]) -> Result<(), String> {
    if let Some((name, arguments)) = names.split_first()
        && let Some((_, example)) = ON_FOLDERS.iter().find(|it| it.0 == name)
    {
        return on_folder(example, arguments);
    }
    if let Some(unknown) = names.iter().find(|name| !BENCHMARKS.iter().any(|b| b.0 == **name)) {
        let known: Vec<&str> = BENCHMARKS.iter().map(|benchmark| benchmark.0).collect();
        return Err(format!(
            "no benchmark `{unknown}`; there are: {}, and itc FOLDER, projects FOLDER, scale, svcomp FOLDER",
            known.join(" ")
        ));
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

/// What is in a folder, with options of their own. Paths are as seen from where the user is.
fn on_folder(example: &str, arguments: &[String]) -> Result<(), String> {
    cargo(&["build", "--release", "--quiet", "--package", "glassbox-cli"])?;
    let manifest = workspace_root().join("Cargo.toml").display().to_string();
    let mut command = vec!["run", "--release", "--quiet", "--manifest-path", &manifest];
    command.extend(["--package", "glassbox-cli", "--example", example, "--"]);
    command.extend(arguments.iter().map(String::as_str));
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    crate::run(cargo_command(&command).current_dir(here))
}
