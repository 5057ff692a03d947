//! A real editor with the settings of `editors/`, and files that are compiled when they are saved.

use std::fs;
use std::path::Path;
use std::process::Command;

use glassbox_testkit::command::glassbox;
use glassbox_testkit::{Tool, require};
use serde_json::Value;

use crate::client::Client;
use crate::{CLAMP, folder_with, has, start, with_code};

/// What Neovim is to do: open the file, wait, and write down what it shows.
const SCRIPT: &str = r#"
dofile(vim.env.GLASSBOX_SETTINGS).setup({ cmd = { vim.env.GLASSBOX_BINARY, "lsp" } })
vim.cmd("filetype on")
vim.cmd("edit " .. vim.fn.fnameescape(vim.env.GLASSBOX_FILE))
vim.bo.filetype = "c"
local function codes()
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do found[diagnostic.code or ""] = true end
  return found
end
vim.wait(60000, function() return codes()["unreachable"] and codes()["division-by-zero"] end, 50)
local out = { diagnostics = {}, lenses = {} }
for _, it in ipairs(vim.diagnostic.get(0)) do
  table.insert(out.diagnostics, { code = it.code, lnum = it.lnum, col = it.col, message = it.message })
end
local document = { textDocument = vim.lsp.util.make_text_document_params() }
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeLens", document, 60000)
for _, answer in pairs(answers or {}) do
  for _, lens in ipairs(answer.result or {}) do table.insert(out.lenses, lens.command.title) end
end
vim.api.nvim_win_set_cursor(0, { 3, vim.fn.stridx(vim.fn.getline(3), "x < 3") })
local params = vim.lsp.util.make_position_params(0, "utf-16")
for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/hover", params, 60000) or {}) do
  out.hover = answer.result and answer.result.contents.value
end
-- Type into the file without saving it.
vim.api.nvim_buf_set_lines(0, 10, 12, false, { "int divide(int a, int b) {", "    return b == 0 ? 0 : a > 9 ? 1 : a / b;" })
vim.wait(60000, function() return not codes()["division-by-zero"] and codes()["unreachable"] end, 50)
out.after = vim.tbl_keys(codes())
vim.fn.writefile({ vim.fn.json_encode(out) }, vim.env.GLASSBOX_RESULT)
vim.cmd("qa!")
"#;

#[test]
fn neovim_shows_diagnostics_lenses_and_verdicts() {
    let Some(neovim) = require(Tool::Program("nvim")) else { return };
    let (folder, path) = folder_with("f.c", CLAMP);
    let script = folder.path().join("init.lua");
    fs::write(&script, SCRIPT).expect("written");
    let result = folder.path().join("result.json");
    let settings = glassbox_testkit::root().join("editors/neovim/glassbox.lua");
    let status = Command::new(neovim)
        .args(["--headless", "--clean", "-n", "-u", "NONE", "-S"])
        .arg(&script)
        .current_dir(folder.path())
        .env("GLASSBOX_SETTINGS", settings)
        .env("GLASSBOX_BINARY", glassbox().get_program())
        .env("GLASSBOX_FILE", &path)
        .env("GLASSBOX_RESULT", &result)
        .env("XDG_STATE_HOME", folder.path())
        .env("XDG_CACHE_HOME", folder.path())
        .status()
        .expect("Neovim starts");
    assert!(status.success(), "{status}");
    let shown: Value = read(&result);
    let diagnostics = shown["diagnostics"].as_array().expect("a list");
    // Neovim counts bytes: the column of `x < 3` is behind a letter of four.
    let column = CLAMP.lines().nth(2).and_then(|line| line.find("x < 3")).expect("it is there");
    let is_condition =
        |it: &&Value| it["code"] == "unreachable" && it["lnum"] == 2 && it["col"] == column;
    assert!(diagnostics.iter().any(|it| is_condition(&it)), "{shown:#}");
    assert!(diagnostics.iter().any(|it| it["code"] == "division-by-zero"), "{shown:#}");
    let lenses = shown["lenses"].to_string();
    assert!(lenses.contains("generate tests") && lenses.contains("why unreachable?"), "{shown:#}");
    let hover = shown["hover"].as_str().unwrap_or_default();
    assert!(
        hover.contains("**true**: impossible") && hover.contains("**false**: reached"),
        "{shown:#}"
    );
    let after = shown["after"].to_string();
    assert!(after.contains("unreachable") && !after.contains("division-by-zero"), "{shown:#}");
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("Neovim has written it");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn java_is_looked_at_when_it_is_saved() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let text = "public class Price {\n    static int of(int n) {\n        if (n > 5) {\n            if (n < 3) {\n                return 1;\n            }\n            return 100 / (n - 7);\n        }\n        return 0;\n    }\n}\n";
    let (folder, path) = folder_with("Price.java", text);
    let mut client = Client::open(folder.path());
    let name = client.open_document(&path, text);
    client.until_done(&name, 1);
    let all = client.diagnostics(&name, 1, |all| {
        has("unreachable")(all) && all.iter().any(|it| it["severity"] == 2)
    });
    let lines: Vec<u64> =
        with_code(&all, "unreachable").iter().map(|it| start(&it["range"]).0).collect();
    assert!(lines.contains(&3) && lines.contains(&4), "{all:#?}");
    let violation = all.iter().find(|it| it["severity"] == 2).expect("the division");
    assert_eq!(start(&violation["range"]).0, 6, "{violation:#}");
    // Saved text counts, not what is typed.
    client.change(&name, 2, Some([3, 0, 5, 13]), "");
    let saved = text.replace("if (n < 3)", "if (n < 7)");
    fs::write(&path, &saved).expect("written");
    client.change(&name, 3, None, &saved);
    let saved = serde_json::json!({ "textDocument": { "uri": name } });
    client.notify("textDocument/didSave", saved);
    client.until_done(&name, 3);
    client.diagnostics(&name, 3, |all| !all.is_empty() && with_code(all, "unreachable").is_empty());
}
