//! The project's chores, run as `cargo xtask <chore>`: the same commands locally and in CI.

#![allow(clippy::disallowed_methods, reason = "chores start programs and write files")]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

mod bench;
mod bless;
mod corpus;
mod dist;
mod same;
mod setup;
mod tidy;
mod vsix;

use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask <chore>
  test      install what the tests need, then run all tests       [CARGO_TEST_ARGS ...]
  setup     install it, and print the variables that tests read
  ci        test, then format, lints and tidy: what .ci/run runs
  tidy      check layers, file headers, file sizes, names
  book      build the book in docs/, with its pictures, into docs/book
  bench     run the kept benchmarks and print what they measure   [NAME ... | itc FOLDER | projects FOLDER ...]
  corpus    run a longer comparison with other tools or builds    <NAME> [ARGS ...]
  dist      build a static binary, a Debian package and a wheel   [--deb] [--wheel] [--try] [BINARY]
  vsix      pack the extension for Visual Studio Code             [BINARY to test it with]
  bless     accept the current output of snapshot tests           [PACKAGE ...]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let result = match args.first().map(String::as_str) {
        Some("test") => test(rest),
        Some("setup") => setup(),
        Some("ci") => ci(),
        Some("tidy") => tidy::run(&workspace_root()),
        Some("book") => book(),
        Some("bench") => bench::run(rest),
        Some("corpus") => corpus::run(rest),
        Some("dist") => dist::run(&workspace_root(), rest),
        Some("vsix") => vsix::run(&workspace_root(), rest.first().map(String::as_str)),
        Some("bless") => bless::run(rest),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder with the workspace's `Cargo.toml`.
fn workspace_root() -> std::path::PathBuf {
    let xtask = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().expect("xtask is a folder of the workspace").to_owned()
}

/// All tests, or those that cargo's arguments name.
fn test(args: &[String]) -> Result<(), String> {
    let environment = setup::install_test_tools(&workspace_root())?;
    let mut all = vec!["test"];
    all.extend(args.iter().map(String::as_str));
    if args.is_empty() {
        all.push("--workspace");
    }
    run(cargo_command(&all).envs(environment))
}

/// Prints what `test` would set, for a shell to read.
fn setup() -> Result<(), String> {
    for (name, value) in setup::install_test_tools(&workspace_root())? {
        println!("export {name}='{}'", value.display());
    }
    Ok(())
}

/// The book, as the test of it builds it: its pictures come from the commands that it shows.
fn book() -> Result<(), String> {
    let root = workspace_root();
    let name = "the_book_is_built_with_its_pictures_and_every_link_leads_somewhere";
    let mut command = cargo_command(&["test", "-p", "glassbox-cli", "--test", "book", name]);
    command.env("GLASSBOX_CI", "1").env("GLASSBOX_MDBOOK", setup::mdbook(&root)?);
    run(command.env("GLASSBOX_BOOK", root.join("docs/book")))?;
    println!("docs/book/index.html");
    Ok(())
}

fn ci() -> Result<(), String> {
    test(&[])?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    tidy::run(&workspace_root())
}

/// Runs cargo in the workspace; its output goes to the user.
fn cargo(args: &[&str]) -> Result<(), String> {
    run(&mut cargo_command(args))
}

fn cargo_command(args: &[&str]) -> Command {
    println!("$ cargo {}", args.join(" "));
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(workspace_root());
    command
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed: {status}")) }
}
