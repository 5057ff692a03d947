//! How long an editor waits after an edit: C files of 500 lines, one function with loops changed again and again.
//!
//! Measured is the time from sending the edit until diagnostics of that version say what the changed function does now.
//!
//! cargo run -p glassbox-cli --example bench_lsp [SERVER] [FILE.c:LINE ...]
//!
//! SERVER is the command to be measured, a release for instance; by default it is the one beside the example. Each FILE is
//! edited before its LINE, where a statement may stand.

#![allow(clippy::disallowed_methods, reason = "it starts the server and looks at the clock")]
#![allow(clippy::print_stdout, reason = "an example that prints what it measures")]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/lsp/client.rs"]
mod client;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use client::Client;
use glassbox_testkit::command::glassbox;
use serde_json::Value;

/// Functions with ten lines each.
const FUNCTIONS: usize = 50;
const EDITS: i32 = 20;

/// A file to be edited: its text, and the line before which a statement is put, counted from 0.
struct Edited {
    name: String,
    text: String,
    line: usize,
}

/// Kinds of functions: text that is gone through, numbers in arrays, linked nodes. Each has its edits inside of its loop.
const KINDS: [(&str, &str); 3] = [
    (
        "text",
        "int text@(const char *text, int level) {\n    int n = 0;\n    for (int i = 0; i < 8 && text[i] != '\\0'; i++) {\n\
         \x20       if (text[i] == 'a' + @) n++;\n        if (level > @ && n > 3) return n;\n    }\n    if (n > 8) return -1;\n\
         \x20   return n * 3;\n}\n\n",
    ),
    (
        "numbers",
        "int sum@(const int *a, int n, int limit) {\n    int sum = 0;\n    for (int i = 0; i < n; i++) {\n\
         \x20       if (a[i] < 0 || a[i] > limit) continue;\n        sum += a[i] % (@ + 2);\n    }\n    if (n <= 0 && sum != 0) return -1;\n\
         \x20   return sum;\n}\n\n",
    ),
    (
        "nodes",
        "int find@(const struct node *list, int key) {\n    int steps = 0;\n    while (list != 0) {\n\
         \x20       if (list->value == key + @) return steps;\n        steps++; list = list->next;\n    }\n    if (steps < 0) return -2;\n\
         \x20   return -1;\n}\n\n",
    ),
];

fn made(name: &str, function: &str) -> Edited {
    let mut text =
        String::from("#include <string.h>\nstruct node { int value; struct node *next; };\n");
    for number in 0..FUNCTIONS {
        text.push_str(&function.replace('@', &number.to_string()));
    }
    // The first line inside of the loop of a function in the middle.
    Edited { name: name.to_owned(), text, line: 2 + 10 * (FUNCTIONS / 2) + 3 }
}

fn given(place: &str) -> Edited {
    let (file, line) = place.rsplit_once(':').expect("FILE.c:LINE");
    let line: usize = line.parse().expect("a number of a line");
    let text = std::fs::read_to_string(file).expect("a file");
    Edited { name: file.to_owned(), text, line: line - 1 }
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let is_place = |word: &String| word.contains(".c:");
    let server = (words.first().is_some_and(|word| !is_place(word))).then(|| words.remove(0));
    let server = server.map(|path| std::path::absolute(path).expect("a path"));
    let command = || server.as_ref().map_or_else(glassbox, Command::new);
    let files: Vec<Edited> = if words.is_empty() {
        KINDS.iter().map(|(name, function)| made(name, function)).collect()
    } else {
        words.iter().map(|place| given(place)).collect()
    };
    for file in &files {
        measure(command(), file);
    }
}

fn measure(server: Command, file: &Edited) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("it is there").join("edited.c");
    std::fs::write(&path, &file.text).expect("written");
    println!("{}: {} lines", file.name, file.text.lines().count());
    // Long searches are of no interest here.
    std::fs::write(
        folder.path().join("glassbox.toml"),
        "[gen]\ntimeout = 0.5\n[check]\ntimeout = 0.5\n",
    )
    .expect("written");
    // Headers beside a file that was given are found.
    let includes = Path::new(&file.name).canonicalize().ok();
    if let Some(beside) = includes.as_deref().and_then(Path::parent) {
        let flags = format!("-I{}", beside.display());
        let entry = serde_json::json!([{ "directory": folder.path(), "file": path, "arguments": ["cc", flags, "-c", path] }]);
        std::fs::write(folder.path().join("compile_commands.json"), entry.to_string())
            .expect("written");
    }
    let mut client = Client::open_by(server, folder.path());
    let begun = Instant::now();
    let name = client.open_document(&path, &file.text);
    client.diagnostics(&name, 1, |_| true);
    println!("  first diagnostics after opening: {:.0} ms", milliseconds(begun.elapsed()));
    client.until_done(&name, 1);
    println!("  everything after opening: {:.0} ms", milliseconds(begun.elapsed()));
    let (mut known, mut all) = (Vec::new(), Vec::new());
    let line = u32::try_from(file.line).expect("a small number");
    let mut last = 0;
    for edit in 0..EDITS {
        let (version, number) = (edit + 2, 100 + edit);
        let mut statement = String::new();
        write!(statement, "{{ int edit = {number}; if (edit == {}) edit = 0; }} ", number + 1)
            .expect("text");
        let begun = Instant::now();
        client.change(&name, version, Some([line, 0, line, last]), &statement);
        last = u32::try_from(statement.len()).expect("a short text");
        let wanted = format!("edit == {} is true", number + 1);
        let is_new = |found: &[Value]| {
            found.iter().any(|it| it["message"].as_str().is_some_and(|it| it.contains(&wanted)))
        };
        let first = client.diagnostics(&name, version, |_| true);
        known.push(milliseconds(begun.elapsed()));
        if !is_new(&first) {
            client.diagnostics(&name, version, is_new);
        }
        all.push(milliseconds(begun.elapsed()));
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
    println!("  {what}: median {middle:.0} ms, longest {last:.0} ms of {}", times.len());
}
