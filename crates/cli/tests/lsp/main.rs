//! `glassbox lsp`, as an editor speaks with it: the real command and its pipes.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

mod client;
mod editors;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use client::{Client, uri};
use serde_json::{Value, json};

const CLAMP: &str = "\
/* ü😀 */ int clamp(int x) {
    if (x > 5) {
        /* 😀 */ if (x < 3) {
            return -1;
        }
        return 5;
    }
    return x;
}

int divide(int a, int b) {
    return a / b;
}
";

/// A folder with a file that is saved with this text.
fn folder_with(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().canonicalize().expect("it is there").join(name);
    fs::write(&path, text).expect("written");
    (folder, path)
}

fn start(range: &Value) -> (u64, u64) {
    let place = &range["start"];
    (place["line"].as_u64().expect("a line"), place["character"].as_u64().expect("a column"))
}

fn with_code<'a>(all: &'a [Value], code: &str) -> Vec<&'a Value> {
    all.iter().filter(|diagnostic| diagnostic["code"] == code).collect()
}

fn has(code: &'static str) -> impl Fn(&[Value]) -> bool {
    move |all| !with_code(all, code).is_empty()
}

#[test]
fn unreachable_code_and_violations_are_shown_with_the_lines_that_matter() {
    let (folder, path) = folder_with("größe 😀.c", CLAMP);
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, CLAMP);
    client.until_done(&name, 1);
    let all =
        client.diagnostics(&name, 1, |all| has("unreachable")(all) && has("division-by-zero")(all));
    let unreachable = with_code(&all, "unreachable");
    // `x < 3`, behind a comment with a letter of two units, and the statement behind it.
    let condition = unreachable.iter().find(|it| start(&it["range"]) == (2, 21)).expect("x < 3");
    assert_eq!(condition["range"]["end"], json!({ "line": 2, "character": 26 }));
    assert_eq!(condition["severity"], 4, "a hint");
    assert_eq!(condition["tags"], json!([1]), "superfluous");
    let related = condition["relatedInformation"].as_array().expect("the proof's lines");
    let lines: Vec<u64> = related.iter().map(|it| start(&it["location"]["range"]).0).collect();
    assert!(lines.contains(&1) && lines.contains(&2), "{related:#?}");
    assert!(unreachable.iter().any(|it| start(&it["range"]) == (3, 12)), "{unreachable:#?}");
    let division = with_code(&all, "division-by-zero")[0];
    assert_eq!(division["severity"], 2);
    let message = division["message"].as_str().expect("a text");
    assert!(
        message.contains("division by zero in `a / b`") && message.contains("b = 0"),
        "{message}"
    );
    let related = division["relatedInformation"].as_array().expect("the way");
    assert_eq!(start(&related[0]["location"]["range"]), (10, 0));
    assert!(related[0]["message"].as_str().expect("a text").contains("b = 0"), "{related:#?}");
}

#[test]
fn lenses_hover_and_hints_say_what_is_known() {
    let text = "int f(int n) {\n  int s = 0;\n  for (int i = 0; i < 10; i++) {\n    if (i > 10) return -1;\n    s += n > 3;\n  }\n  return s;\n}\n";
    let (folder, path) = folder_with("f.c", text);
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, text);
    client.until_done(&name, 1);
    let document = json!({ "uri": name });
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": document }));
    let titles: Vec<&str> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["command"]["title"].as_str())
        .collect();
    assert!(
        titles[0].starts_with("generate tests (") && titles[1].starts_with("why unreachable?"),
        "{titles:?}"
    );
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": name }, "position": { "line": line, "character": character } });
    let hover = client.ask("textDocument/hover", at(3, 9));
    let words = hover["contents"]["value"].as_str().expect("a text");
    assert!(words.contains("`i > 10`") && words.contains("**true**: impossible"), "{words}");
    assert!(words.contains("**false**: reached by `test_f"), "{words}");
    assert_eq!(start(&hover["range"]), (3, 8));
    assert_eq!(client.ask("textDocument/hover", at(7, 0)), Value::Null);
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let hints =
        client.ask("textDocument/inlayHint", json!({ "textDocument": document, "range": range }));
    let hints = hints.as_array().expect("a list");
    let hint = hints.iter().find(|hint| hint["position"]["line"] == 3).expect("line 4");
    assert!(hint["label"].as_str().expect("a text").contains("0 <= i <= 9"), "{hints:#?}");
    let why = json!({ "command": "glassbox.whyUnreachable", "arguments": [name, "f"] });
    let why = client.ask("workspace/executeCommand", why);
    assert!(why["text"].as_str().expect("a text").contains("INFEASIBLE"), "{why}");
    client.wait(|message| message["method"] == "window/showMessage");
}

#[test]
fn what_counts_is_the_text_of_the_editor() {
    let (folder, path) = folder_with("f.c", "#error this is what is saved\n");
    fs::write(folder.path().join("limit.h"), "#define LIMIT 7\n").expect("written");
    let mut client = Client::open(folder.path());
    let text = "#include \"limit.h\"\nint f(int x) {\n  if (x > LIMIT) return 1;\n  return 0;\n}\n";
    let name = client.open_document(&path, text);
    client.until_done(&name, 1);
    assert_eq!(client.diagnostics(&name, 1, |_| true), Vec::<Value>::new());
    // `x > LIMIT` becomes `x > LIMIT && x < LIMIT`.
    client.change(&name, 2, Some([2, 15, 2, 15]), " && x < LIMIT");
    let all = client.diagnostics(&name, 2, has("unreachable"));
    assert!(all.iter().any(|it| start(&it["range"]) == (2, 19)), "{all:#?}");
    // An edit that breaks the program, then one that mends it.
    client.change(&name, 3, Some([2, 2, 2, 4]), "fi");
    let all = client.diagnostics(&name, 3, |all| !all.is_empty());
    assert_eq!(all[0]["code"], "not-read", "{all:#?}");
    assert_eq!(start(&all[0]["range"]).0, 2, "{all:#?}");
    client.change(&name, 4, None, text);
    assert_eq!(client.diagnostics(&name, 4, |all| all.is_empty()), Vec::<Value>::new());
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": name } }));
    client.wait(|message| {
        message["params"]["diagnostics"] == json!([]) && message["params"].get("version").is_none()
    });
}

#[test]
fn functions_that_move_keep_their_verdicts_and_get_new_lines() {
    let (folder, path) = folder_with("f.c", CLAMP);
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, CLAMP);
    client.until_done(&name, 1);
    client.change(&name, 2, Some([0, 0, 0, 0]), "int one(void) { return 1; }\n\n");
    let moved = |all: &[Value]| {
        let at = |code, place| with_code(all, code).iter().any(|it| start(&it["range"]) == place);
        at("unreachable", (4, 21)) && at("unreachable", (5, 12)) && at("division-by-zero", (13, 11))
    };
    let all = client.diagnostics(&name, 2, moved);
    let unreachable = with_code(&all, "unreachable");
    let condition = unreachable.iter().find(|it| start(&it["range"]) == (4, 21)).expect("x < 3");
    let related = condition["relatedInformation"].as_array().expect("the proof's lines");
    assert!(related.iter().any(|it| start(&it["location"]["range"]).0 == 3), "{related:#?}");
}

/// A function that keeps a search busy.
fn hard() -> String {
    let mut text = String::from("unsigned mix(unsigned a, unsigned b, unsigned c) {\n");
    for round in 0..40 {
        text.push_str(&format!(
            "  a = a * {}u + (b ^ (c >> {})); b = b * c + a; c ^= a * b;\n",
            2 * round + 12_345_677_u32,
            round % 13 + 1,
        ));
    }
    text.push_str("  if (a == 77u && b == 99u && c * a == 1234567u) return 1;\n  return 0;\n}\n");
    text
}

#[test]
fn requests_can_be_cancelled_and_edits_stop_searches() {
    let text = hard();
    let (folder, path) = folder_with("f.c", &text);
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, &text);
    // The analysis has to read the program first, so this one waits.
    let at = json!({ "textDocument": { "uri": name }, "position": { "line": 1, "character": 3 } });
    let id = client.request("textDocument/hover", at);
    client.notify("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
    // Nothing waits for what is gone, or was never there.
    client.notify("$/cancelRequest", json!({ "id": id }));
    client.notify("$/cancelRequest", json!({ "id": "never" }));
    client.notify("$/cancelRequest", json!([]));
    // While the long search goes on, a small text is answered.
    std::thread::sleep(Duration::from_millis(600));
    client.change(&name, 2, None, "int f(int x) { return x > 3; }\n");
    client.until_done(&name, 2);
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": name } }));
    assert_eq!(lenses[0]["command"]["arguments"][1], "f", "{lenses}");
    // A command ends early, too.
    fs::write(&path, &text).expect("written");
    client.change(&name, 3, None, &text);
    let command = json!({ "command": "glassbox.generateTests", "arguments": [name, "mix"] });
    let id = client.request("workspace/executeCommand", command);
    client.wait(|message| {
        message["method"] == "$/progress"
            && message["params"]["value"]["kind"] == "begin"
            && message["params"]["token"].as_str().is_some_and(|token| token.contains("command"))
    });
    client.notify("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
}

#[test]
fn tests_are_generated_and_shown() {
    let (folder, path) = folder_with("f.c", CLAMP);
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, CLAMP);
    let command = json!({ "command": "glassbox.generateTests", "arguments": [name, "clamp"] });
    let result = client.ask("workspace/executeCommand", command.clone());
    assert_eq!((&result["covered"], &result["infeasible"]), (&json!(3), &json!(1)), "{result}");
    assert!(folder.path().join("glassbox-out/tests/test_clamp.c").is_file());
    assert!(folder.path().join("glassbox-out/suite.json").is_file());
    let shown = client.wait(|message| message["method"] == "window/showDocument");
    assert!(shown["params"]["uri"].as_str().expect("a name").ends_with("test_clamp.c"), "{shown}");
    // What is not saved cannot be compiled.
    client.change(&name, 2, Some([0, 0, 0, 0]), "\n");
    let id = client.request("workspace/executeCommand", command);
    let answer = client.answer(id);
    assert!(
        answer["error"]["message"].as_str().expect("a text").contains("save the file"),
        "{answer}"
    );
    for (command, arguments) in [("glassbox.generateTests", json!([])), ("no.such", json!([name]))]
    {
        let params = json!({ "command": command, "arguments": arguments });
        let id = client.request("workspace/executeCommand", params);
        assert_eq!(client.answer(id)["error"]["code"], -32602);
    }
}

#[test]
fn a_contract_is_written_and_removes_the_violation() {
    let (folder, path) = folder_with("f.c", CLAMP);
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, CLAMP);
    client.until_done(&name, 1);
    let range =
        json!({ "start": { "line": 11, "character": 11 }, "end": { "line": 11, "character": 16 } });
    let params = json!({ "textDocument": { "uri": name }, "range": range, "context": { "diagnostics": [] } });
    let actions = client.ask("textDocument/codeAction", params.clone());
    let actions = actions.as_array().expect("a list");
    let action = actions
        .iter()
        .find(|it| it["title"].as_str().is_some_and(|title| title.contains("`b != 0`")))
        .unwrap_or_else(|| panic!("{actions:#?}"));
    let changes = action["edit"]["documentChanges"].as_array().expect("changes");
    assert_eq!(changes[0]["kind"], "create");
    let new = changes[1]["edits"][0]["newText"].as_str().expect("a text");
    assert_eq!(new, "[function.divide]\nrequire = [\"b != 0\"]\n");
    fs::write(folder.path().join("glassbox.toml"), new).expect("written");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    let gone = |all: &[Value]| !all.is_empty() && with_code(all, "division-by-zero").is_empty();
    client.diagnostics(&name, 1, gone);
    // The next clause goes into the same contract.
    client.change(&name, 2, Some([0, 0, 0, 0]), " ");
    client.until_done(&name, 2);
    let actions = client.ask("textDocument/codeAction", params);
    let text = actions.to_string();
    assert!(text.contains("documentChanges") && !text.contains("\"create\""), "{text}");
}

#[test]
fn flags_come_from_the_compilation_database() {
    let text = "int f(int x) {\n  if (x > LIMIT && x < LIMIT) return 1;\n  return 0;\n}\n";
    let (folder, path) = folder_with("f.c", text);
    fs::create_dir(folder.path().join("build")).expect("made");
    let entry =
        json!([{ "directory": folder.path(), "file": path, "command": "cc -DLIMIT=3 -c f.c" }]);
    fs::write(folder.path().join("build/compile_commands.json"), entry.to_string())
        .expect("written");
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, text);
    let all = client.diagnostics(&name, 1, has("unreachable"));
    assert!(with_code(&all, "not-read").is_empty(), "{all:#?}");
}

#[test]
fn wrong_messages_cost_nothing_but_themselves() {
    let (folder, path) = folder_with("f.c", CLAMP);
    let mut client = Client::start(folder.path());
    let id = client.request("textDocument/hover", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32002, "not initialized");
    client.write(b"Content-Length: 9\r\n\r\n{\"id\": 1,");
    client.write(b"rubbish\r\n");
    client.write(b"Content-Length: 2\r\n\r\n[]");
    for code in [-32700, -32700, -32600] {
        let answer = client.wait(|message| message["id"].is_null() && message["error"].is_object());
        assert_eq!(answer["error"]["code"], code);
    }
    client.ask("initialize", json!({ "rootUri": 7, "capabilities": "none" }));
    for params in [
        json!(null),
        json!([]),
        json!({ "textDocument": { "uri": "?" } }),
        json!({ "textDocument": 3 }),
    ] {
        for method in ["didOpen", "didChange", "didSave", "didClose"] {
            client.notify(&format!("textDocument/{method}"), params.clone());
        }
        let id = client.request("textDocument/codeLens", params.clone());
        let answer = client.answer(id);
        assert!(answer["error"]["code"] == -32602 || answer["result"].is_null(), "{answer}");
    }
    let id = client.request("no/such/method", json!({}));
    assert_eq!(client.answer(id)["error"]["code"], -32601);
    // Ranges that are nowhere, documents that are not open.
    let name = client.open_document(&path, CLAMP);
    client.change(&name, 2, Some([900, 900, 1000, 1]), "/* 😀 */");
    client.change(&name, 3, Some([5, 9, 0, 2]), "");
    client.change("file:///nowhere.c", 2, None, "x");
    client.change(&name, 4, None, CLAMP);
    client.diagnostics(&name, 4, has("unreachable"));
    let far = json!({ "textDocument": { "uri": name }, "position": { "line": 4_000_000_000_u32, "character": 7 } });
    assert_eq!(client.ask("textDocument/hover", far), Value::Null);
    assert_eq!(client.ask("shutdown", Value::Null), Value::Null);
    let id =
        client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(&path) } }));
    assert_eq!(client.answer(id)["error"]["code"], -32600, "after the shutdown");
    client.notify("exit", Value::Null);
    assert_eq!(client.leave().code(), Some(0));
    // Without a shutdown it is no orderly end.
    assert_eq!(Client::open(folder.path()).leave().code(), Some(1));
}

#[test]
fn the_configuration_counts_and_its_mistakes_are_shown() {
    let (folder, path) = folder_with("f.c", CLAMP);
    let toml = folder.path().join("glassbox.toml");
    fs::write(&toml, "[gen]\ncriteria = \"mcdc\"\n").expect("written");
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, CLAMP);
    let all = client.diagnostics(&name, 1, |all| !all.is_empty());
    let message = with_code(&all, "not-read")[0]["message"].as_str().expect("a text").to_owned();
    assert!(message.contains("glassbox.toml") && message.contains("criteria"), "{message}");
    fs::write(&toml, "[function.clamp]\nrequire = [\"x <= 5\"]\n").expect("written");
    client.change(&name, 2, Some([0, 0, 0, 0]), " ");
    let all = client.diagnostics(&name, 2, has("unreachable"));
    let removed = with_code(&all, "unreachable");
    let removed = removed.iter().find(|it| start(&it["range"]).0 == 1).expect("x > 5");
    assert!(
        removed["message"].as_str().expect("a text").contains("under the contract"),
        "{removed:#}"
    );
    assert!(removed["relatedInformation"].to_string().contains("glassbox.toml"), "{removed:#}");
    assert!(client.heard().iter().all(|message| message["error"].is_null()));
}

#[test]
fn what_a_function_depends_on_counts_for_its_verdicts() {
    let text = "#define NEAR 10\nstatic const int most = 3;\nstatic int limit(int y) { return y > 0 ? most : 2; }\nstruct pair { int a; int b; };\nint f(int x, struct pair p) {\n  if (x > NEAR && x < limit(p.a)) return 1;\n  return 0;\n}\n";
    let (folder, path) = folder_with("f.c", text);
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, text);
    let is_dead =
        |all: &[Value]| with_code(all, "unreachable").iter().any(|it| start(&it["range"]).0 == 5);
    client.diagnostics(&name, 1, is_dead);
    client.until_done(&name, 1);
    let mut version = 1;
    // Each change alone makes the branch possible, and taking it back makes it impossible again.
    for (old, new) in [("most = 3", "most = 30"), (": 2;", ": 22;"), ("NEAR 10", "NEAR 1")] {
        version += 1;
        client.change(&name, version, None, &text.replace(old, new));
        client.until_done(&name, version);
        let last = client.diagnostics(&name, version, |all| !is_dead(all));
        assert!(!is_dead(&last), "{old}: {last:#?}");
        version += 1;
        client.change(&name, version, None, text);
        client.diagnostics(&name, version, is_dead);
    }
}
