//! A client of the server that a test speaks through: the real command, its pipes, and what it has said so far.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use glassbox_testkit::command::glassbox;
use serde_json::{Value, json};

/// A server that says nothing for so long has failed.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Heard while something else was waited for.
    heard: Vec<Value>,
    n_requests: u64,
}

impl Client {
    /// Starts the server in a folder, without a word to it.
    pub(crate) fn start(folder: &Path) -> Client {
        Client::start_by(glassbox(), folder)
    }

    fn start_by(mut server: Command, folder: &Path) -> Client {
        let mut child = server
            .arg("lsp")
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("a pipe");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Client { child, input, messages, heard: Vec::new(), n_requests: 0 }
    }

    /// Starts the server and makes it ready.
    pub(crate) fn open(folder: &Path) -> Client {
        Client::open_by(glassbox(), folder)
    }

    /// The same with another build of the command.
    pub(crate) fn open_by(server: Command, folder: &Path) -> Client {
        let mut client = Client::start_by(server, folder);
        let capabilities = json!({
            "window": { "workDoneProgress": true, "showDocument": { "support": true } },
            "workspace": {
                "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
                "codeLens": { "refreshSupport": true },
            },
        });
        let params = json!({ "rootUri": uri(folder), "capabilities": capabilities });
        let answer = client.ask("initialize", params);
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16", "{answer}");
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the pipe is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request; its id.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> u64 {
        self.n_requests += 1;
        let id = self.n_requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The next message that is wanted; others are kept.
    pub(crate) fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.heard.iter().position(&is_wanted) {
            return self.heard.remove(at);
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|error| {
                panic!("no such message ({error}); heard: {:#?}", self.heard)
            });
            if is_wanted(&message) {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// The whole answer to a request.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        self.wait(|message| message["id"] == json!(id) && message.get("method").is_none())
    }

    /// The result of a request.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let mut answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    pub(crate) fn open_document(&mut self, path: &Path, text: &str) -> String {
        let name = uri(path);
        let item = json!({ "uri": name, "languageId": "c", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
        name
    }

    pub(crate) fn change(&mut self, name: &str, version: i32, range: Option<[u32; 4]>, text: &str) {
        let range = range.map(|[a, b, c, d]| {
            json!({ "start": { "line": a, "character": b }, "end": { "line": c, "character": d } })
        });
        let mut change = json!({ "text": text });
        if let Some(range) = range {
            change["range"] = range;
        }
        let document = json!({ "uri": name, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        self.notify("textDocument/didChange", params);
    }

    /// Diagnostics of a version once they are as wanted.
    pub(crate) fn diagnostics(
        &mut self,
        name: &str,
        version: i32,
        is_wanted: impl Fn(&[Value]) -> bool,
    ) -> Vec<Value> {
        let message = self.wait(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == name
                && params["version"] == version
                && is_wanted(params["diagnostics"].as_array().expect("a list"))
        });
        message["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    /// Waits until the searches for a version have ended.
    pub(crate) fn until_done(&mut self, name: &str, version: i32) {
        let token = format!("glassbox/{name}/{version}");
        self.wait(|message| {
            message["method"] == "$/progress"
                && message["params"]["token"] == token.as_str()
                && message["params"]["value"]["kind"] == "end"
        });
    }

    /// What was heard and not asked for.
    pub(crate) fn heard(&self) -> &[Value] {
        &self.heard
    }

    /// Closes the pipe and waits for the end.
    pub(crate) fn leave(mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().expect("the server ends")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that failed leaves no server behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn uri(path: &Path) -> String {
    let mut name = String::from("file://");
    for byte in path.display().to_string().bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02X}"));
        }
    }
    name
}

fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim() {
            "" => break,
            line => {
                if let Some(value) = line.strip_prefix("Content-Length: ") {
                    length = value.parse().ok()?;
                }
            }
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("the server writes JSON"))
}
