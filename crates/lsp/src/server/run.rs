//! Commands: started, reported on, finished.

use std::io::Write;
use std::sync::mpsc::channel;

use glassbox_driver::guard::guarded;
use serde_json::{Value, json};

use super::{Event, Running, Server};
use crate::analysis::STACK_SIZE;
use crate::command::{self, Done, Failure, GENERATE, WHY};
use crate::wire::code;
use crate::{disk, uri};

impl<W: Write> Server<W> {
    pub(super) fn execute(&mut self, id: Value, name: &str, arguments: &[Value]) {
        let text = |at: usize| arguments.get(at).and_then(Value::as_str).map(str::to_owned);
        let (document, function) = (text(0), text(1));
        let outcome = match (name, document, function) {
            (GENERATE, Some(uri), function) => match self.start(&id, &uri, function) {
                Ok(()) => return,
                Err(failure) => Err(failure),
            },
            (WHY, Some(uri), Some(function)) => match self.documents.get(&uri) {
                Some(document) => command::why(&document.page(), &function),
                None => Err(Failure::of("the document is not open")),
            },
            (GENERATE | WHY, _, _) => {
                let message = "the arguments are the document and the function".to_owned();
                Err(Failure { code: code::INVALID_PARAMS, message })
            }
            _ => {
                let message = format!("no command `{name}`");
                Err(Failure { code: code::INVALID_PARAMS, message })
            }
        };
        self.done(id, outcome);
    }

    /// Starts the generation of tests.
    fn start(&mut self, id: &Value, uri: &str, function: Option<String>) -> Result<(), Failure> {
        let path = uri::to_path(uri).ok_or_else(|| Failure::of("the document is in no file"))?;
        if let Some(document) = self.documents.get(uri) {
            let saved = disk::bytes(&path);
            if saved != document.text.content().as_bytes() {
                let message = "save the file first: tests are compiled with what is saved";
                return Err(Failure::of(message));
            }
        }
        let token = self.client.progress.then(|| format!("glassbox/command/{id}"));
        let running = Running { stop: std::sync::Arc::default(), token: token.clone() };
        let (stop, planner) = (running.stop.clone(), self.planner.clone());
        self.running.insert(id.to_string(), running);
        let title = function.as_deref().unwrap_or("all functions");
        if let Some(token) = &token {
            self.begin_progress(token, &format!("Glassbox: tests for {title}"));
        }
        let (progress, counts) = channel();
        let events = self.events.clone();
        if let Some(token) = token {
            let events = events.clone();
            let _teller = std::thread::spawn(move || {
                for (done, all) in counts {
                    // The receiver is gone where the server has ended.
                    let _ = events.send(Event::Progress { token: token.clone(), done, all });
                }
            });
        }
        let id = id.clone();
        let work = move || {
            let outcome = guarded(|| {
                command::generate(&*planner, &path, function.as_deref(), &stop, progress)
            });
            let broken = |message| Failure { code: code::INTERNAL_ERROR, message };
            let outcome = outcome.map_err(broken).and_then(|outcome| outcome);
            let _ = events.send(Event::Done { id, outcome });
        };
        let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
        builder.spawn(work).map(|_| ()).map_err(|error| Failure::of(error.to_string()))
    }

    /// Answers a command, and shows what it left.
    pub(super) fn done(&mut self, id: Value, outcome: Result<Done, Failure>) {
        let running = self.running.remove(&id.to_string());
        if let Some(token) = running.and_then(|running| running.token) {
            self.notify("$/progress", json!({ "token": token, "value": { "kind": "end" } }));
        }
        match outcome {
            Ok(Done { result, message, document }) => {
                if !self.client.shows_text {
                    self.show(3, &message);
                }
                let is_shown = self.client.show_document && !self.client.shows_text;
                if let Some(document) = document.filter(|_| is_shown) {
                    let params = json!({ "uri": uri::of_path(&document), "takeFocus": true });
                    self.demand("window/showDocument", params);
                }
                self.reply(&id, result);
            }
            Err(Failure { code, message }) => self.fail(&id, code, &message),
        }
    }

    fn show(&mut self, kind: u32, message: &str) {
        self.notify("window/showMessage", json!({ "type": kind, "message": message }));
    }
}
