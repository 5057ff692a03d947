//! Tells the command which commit it is built from.
//!
//! Only release builds ask git, so that a development build is not made again at every commit. Whoever
//! builds without a repository can set `GLASSBOX_COMMIT`.

#![allow(clippy::disallowed_methods, reason = "it asks git for the commit")]

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=GLASSBOX_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=GLASSBOX_COMMIT={}", commit());
}

fn commit() -> String {
    if let Some(given) = std::env::var("GLASSBOX_COMMIT").ok().filter(|given| !given.is_empty()) {
        return given;
    }
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return "development build".to_owned();
    }
    // A commit moves the log of HEAD, in worktrees too.
    if let Some(log) = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "unknown commit".to_owned())
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}
