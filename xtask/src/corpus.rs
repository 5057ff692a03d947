//! Longer runs against other tools, public programs and other builds; most are example programs with arguments.

use crate::cargo;

/// (name, package, example, what its arguments are)
const RUNS: &[(&str, &str, &str, &str)] = &[
    ("solver-z3", "glassbox-solver", "fuzz_z3", "FIRST_SEED COUNT"),
    ("csmith", "glassbox-interp", "csmith", "FIRST_SEED COUNT [MAX_STEPS]"),
    (
        "java",
        "glassbox-jvm-front",
        "java_differential",
        "[JAVAC_FLAGS] SEED CLASSES [CALLS] | FILE.java... [CALLS]",
    ),
    ("java-mutations", "glassbox-jvm-front", "java_mutations", "SEED ROUNDS"),
    ("java-base", "glassbox-jvm-front", "java_survey", "[PACKAGE_PREFIX]"),
    ("c-testsuite", "glassbox-interp", "c_testsuite", "DIR"),
    ("truth", "glassbox-testkit", "truth", "[java] [--text] [--budget=0.2cpu] FIRST COUNT"),
];

/// Runs one of them with the arguments given.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let name = args.first().map(String::as_str).unwrap_or_default();
    if name == "same" {
        return crate::same::run(&crate::workspace_root(), &args[1..]);
    }
    let Some((_, package, example, _)) = RUNS.iter().find(|run| run.0 == name) else {
        let known: Vec<String> =
            RUNS.iter().map(|(name, _, _, args)| format!("  {name} {args}")).collect();
        let same = "  same OLD NEW [--jobs N] [PART_OF_A_NAME ...]";
        return Err(format!("usage: cargo xtask corpus <run>\n{same}\n{}", known.join("\n")));
    };
    if *example == "truth" {
        // It asks the command, which is in the same folder.
        cargo(&["build", "--release", "--quiet", "--package", "glassbox-cli"])?;
    }
    let mut command =
        vec!["run", "--release", "--quiet", "--package", package, "--example", example, "--"];
    command.extend(args[1..].iter().map(String::as_str));
    cargo(&command)
}
