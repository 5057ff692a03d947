//! How long an editor waits after an edit: a C file of 500 lines, one function changed again and again.
//!
//! Measured is the time from sending the edit until diagnostics of that version say what the changed function does now.
//!
//! cargo run --release -p glassbox-cli --example bench_lsp

#![allow(clippy::disallowed_methods, reason = "it starts the server and looks at the clock")]
#![allow(clippy::print_stdout, reason = "an example that prints what it measures")]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/lsp/client.rs"]
mod client;

use std::fmt::Write;
use std::time::{Duration, Instant};

use client::Client;
use serde_json::Value;

/// Functions with ten lines each.
const FUNCTIONS: usize = 50;
const EDITS: i32 = 30;

fn source() -> String {
    let mut text = String::from("#include <stdio.h>\n#include <string.h>\n");
    for number in 0..FUNCTIONS {
        let _ = write!(
            text,
            "int step{number}(const char *text, int level) {{\n    int n = 0;\n    for (int i = 0; i < 8 && text[i] != '\\0'; i++) {{\n\
             \x20       if (text[i] == 'a' + {}) n++;\n        if (level > {number} && n > 3) return n;\n    }}\n\
             \x20   if (n > 8) return -1;\n    return n * {};\n}}\n\n",
            number % 20,
            number + 2,
        );
    }
    text
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("it is there").join("steps.c");
    let text = source();
    println!("{} lines, {FUNCTIONS} functions", text.lines().count());
    std::fs::write(&path, &text).expect("written");
    let mut client = Client::open(folder.path());
    let begun = Instant::now();
    let name = client.open_document(&path, &text);
    client.diagnostics(&name, 1, |_| true);
    println!("first diagnostics after opening: {:.0} ms", milliseconds(begun.elapsed()));
    client.until_done(&name, 1);
    println!("everything after opening: {:.0} ms", milliseconds(begun.elapsed()));
    // `if (n > 8) return -1;` of a function in the middle.
    let line = u32::try_from(2 + 10 * (FUNCTIONS / 2) + 6).expect("a small number");
    let mut known = Vec::new();
    let mut all = Vec::new();
    for edit in 0..EDITS {
        let version = edit + 2;
        let limit = 10 + edit;
        let columns = if edit == 0 { 13 } else { 14 };
        let begun = Instant::now();
        client.change(&name, version, Some([line, 12, line, columns]), &limit.to_string());
        let wanted = format!("n > {limit} is true");
        let is_new = |found: &[Value]| {
            found.iter().any(|it| it["message"].as_str().is_some_and(|it| it.contains(&wanted)))
        };
        let first = client.diagnostics(&name, version, |_| true);
        known.push(milliseconds(begun.elapsed()));
        if !is_new(&first) {
            client.diagnostics(&name, version, is_new);
        }
        all.push(milliseconds(begun.elapsed()));
        client.until_done(&name, version);
    }
    report("after an edit, what is known of the other functions", known);
    report("after an edit, what is new in the changed one", all);
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn report(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let middle = times[times.len() / 2];
    let last = times[times.len() - 1];
    println!("{what}: median {middle:.0} ms, longest {last:.0} ms of {}", times.len());
}
