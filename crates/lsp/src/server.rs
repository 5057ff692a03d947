//! The one thread that answers: documents, requests that wait, commands that run.

mod answer;
mod run;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use glassbox_driver::guard::guarded;
use lsp_types::{
    CodeActionParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, InlayHintParams, TextDocumentIdentifier,
    TextDocumentPositionParams,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::analysis::{self, Job, News};
use crate::cache::Cache;
use crate::command::{Done, Failure};
use crate::document::{Ask, Document, Waiting};
use crate::protocol::{self, Client, typed};
use crate::text::Text;
use crate::view::diagnostic::diagnostics;
use crate::wire::{self, Incoming, code};
use crate::{Ending, Planner, disk, uri};

/// Waited for after an edit: the next one often follows at once.
const PAUSE: Duration = Duration::from_millis(40);

/// What the server hears.
#[derive(Debug)]
pub(crate) enum Event {
    Incoming(Incoming),
    /// There are no more messages.
    Closed,
    News {
        uri: String,
        generation: u64,
        news: News,
    },
    Progress {
        token: String,
        done: usize,
        all: usize,
    },
    Done {
        id: Value,
        outcome: Result<Done, Failure>,
    },
}

/// Between `initialize` and `exit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Before,
    Open,
    ShutDown,
    Ended(Ending),
}

/// A command at work.
struct Running {
    stop: Arc<AtomicBool>,
    token: Option<String>,
}

pub(crate) struct Server<W: Write> {
    output: W,
    events: Sender<Event>,
    planner: Arc<dyn Planner>,
    cache: Arc<Cache>,
    client: Client,
    phase: Phase,
    documents: BTreeMap<String, Document>,
    /// Commands by the text of their request's id.
    running: BTreeMap<String, Running>,
    /// Of analyses, and of our own requests.
    n_generations: u64,
    n_requests: u64,
}

/// Parameters with a document alone.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfDocument {
    text_document: TextDocumentIdentifier,
}

#[derive(Deserialize)]
struct Execute {
    command: String,
    #[serde(default)]
    arguments: Vec<Value>,
}

impl<W: Write> Server<W> {
    pub(crate) fn new(output: W, events: Sender<Event>, planner: Arc<dyn Planner>) -> Server<W> {
        Server {
            output,
            events,
            planner,
            cache: Arc::default(),
            client: Client::default(),
            phase: Phase::Before,
            documents: BTreeMap::new(),
            running: BTreeMap::new(),
            n_generations: 0,
            n_requests: 0,
        }
    }

    pub(crate) fn ending(&self) -> Option<Ending> {
        match self.phase {
            Phase::Ended(ending) => Some(ending),
            Phase::Before | Phase::Open | Phase::ShutDown => None,
        }
    }

    pub(crate) fn handle(&mut self, event: Event) {
        match event {
            Event::Incoming(Incoming::Request { id, method, params }) => {
                self.request(id, &method, params);
            }
            Event::Incoming(Incoming::Notification { method, params }) => {
                self.notification(&method, params);
            }
            // Nothing depends on what clients say to requests of ours.
            Event::Incoming(Incoming::Response { .. }) => {}
            Event::Incoming(Incoming::Broken { code, message }) => {
                self.send(json!({ "id": null, "error": { "code": code, "message": message } }));
            }
            Event::Closed => {
                self.stop_all();
                self.phase = Phase::Ended(Ending::Abrupt);
            }
            Event::News { uri, generation, news } => self.news(&uri, generation, news),
            Event::Progress { token, done, all } => self.progress(&token, done, all),
            Event::Done { id, outcome } => self.done(id, outcome),
        }
    }

    fn request(&mut self, id: Value, method: &str, params: Value) {
        match (self.phase, method) {
            (Phase::Before, "initialize") => self.initialize(id, &params),
            (Phase::Before, _) => {
                self.fail(&id, code::NOT_INITIALIZED, "`initialize` has to come first");
            }
            (Phase::Open, "shutdown") => {
                self.stop_all();
                self.phase = Phase::ShutDown;
                self.reply(&id, Value::Null);
            }
            (Phase::ShutDown | Phase::Ended(_), _) | (Phase::Open, "initialize") => {
                self.fail(&id, code::INVALID_REQUEST, "not now");
            }
            (Phase::Open, "workspace/executeCommand") => {
                match typed::<Execute>(params) {
                    Ok(execute) => self.execute(id, &execute.command, &execute.arguments),
                    Err(message) => self.fail(&id, code::INVALID_PARAMS, &message),
                };
            }
            (Phase::Open, method) => match question(method, params) {
                None => self.fail(&id, code::METHOD_NOT_FOUND, &format!("no method `{method}`")),
                Some(Err(message)) => self.fail(&id, code::INVALID_PARAMS, &message),
                Some(Ok((uri, ask))) => self.ask(id, &uri, ask),
            },
        }
    }

    fn initialize(&mut self, id: Value, params: &Value) {
        self.client = Client::of(params);
        let folders = params.pointer("/workspaceFolders/0/uri").or(params.pointer("/rootUri"));
        let root = folders.and_then(Value::as_str).and_then(uri::to_path);
        // Options in glassbox.toml name files as seen from where the command would be typed.
        let entered = root.map(std::env::set_current_dir);
        self.phase = Phase::Open;
        self.reply(&id, protocol::capabilities());
        if let Some(Err(error)) = entered {
            self.log(&format!("the folder of the workspace cannot be entered: {error}"));
        }
    }

    /// Answers at once, or when the analysis of the present text has begun.
    fn ask(&mut self, id: Value, uri: &str, ask: Ask) {
        match self.documents.get_mut(uri) {
            None => self.reply(&id, Value::Null),
            Some(document) => document.waiting.push(Waiting { id, ask }),
        }
    }

    fn notification(&mut self, method: &str, params: Value) {
        let outcome = match (self.phase, method) {
            (_, "exit") => {
                let is_orderly = self.phase == Phase::ShutDown;
                let ending = if is_orderly { Ending::Orderly } else { Ending::Abrupt };
                self.stop_all();
                self.phase = Phase::Ended(ending);
                Ok(())
            }
            (Phase::Open, "initialized") => {
                if self.client.watches {
                    self.demand("client/registerCapability", protocol::watched_files());
                }
                Ok(())
            }
            (Phase::Open, "textDocument/didOpen") => typed(params).map(|it| self.opened(it)),
            (Phase::Open, "textDocument/didChange") => typed(params).map(|it| self.changed(it)),
            (Phase::Open, "textDocument/didSave") => typed(params).map(|it| self.saved(&it)),
            (Phase::Open, "textDocument/didClose") => typed(params).map(|it| self.closed(&it)),
            (Phase::Open, "workspace/didChangeWatchedFiles") => {
                let all: Vec<String> = self.documents.keys().cloned().collect();
                all.iter().for_each(|uri| self.analyze(uri, PAUSE));
                Ok(())
            }
            (Phase::Open, "$/cancelRequest") => {
                self.cancel(params.get("id").unwrap_or(&Value::Null));
                Ok(())
            }
            (Phase::Open, "window/workDoneProgress/cancel") => {
                self.cancel_token(params.get("token").unwrap_or(&Value::Null));
                Ok(())
            }
            // Whatever else there is may be ignored.
            _ => Ok(()),
        };
        if let Err(message) = outcome {
            self.log(&format!("{method}: {message}"));
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let uri = item.uri.as_str().to_owned();
        let Some(path) = uri::to_path(&uri).filter(|path| analysis::is_source(path)) else {
            return;
        };
        self.documents.insert(uri.clone(), Document::new(path, item.version, item.text));
        self.analyze(&uri, Duration::ZERO);
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.uri.as_str().to_owned();
        let Some(document) = self.documents.get_mut(&uri) else { return };
        document.version = params.text_document.version;
        for change in &params.content_changes {
            document.text.apply(change);
        }
        if !analysis::is_java(&document.path) {
            self.analyze(&uri, PAUSE);
        }
    }

    /// Java is compiled from files, so it is looked at when they are saved. What contracts say may have changed, too.
    fn saved(&mut self, params: &DidSaveTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        if self.documents.get(uri).is_some_and(|document| analysis::is_java(&document.path)) {
            self.analyze(uri, Duration::ZERO);
        }
    }

    fn closed(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.documents.remove(uri) else { return };
        document.stop();
        for waiting in document.waiting {
            self.reply(&waiting.id, Value::Null);
        }
        if let Some(token) = document.progress {
            self.notify("$/progress", json!({ "token": token, "value": { "kind": "end" } }));
        }
        let nothing = json!({ "uri": uri, "diagnostics": [] });
        self.notify("textDocument/publishDiagnostics", nothing);
    }

    /// Looks at the present text of a document, in place of what is looked at now.
    fn analyze(&mut self, uri: &str, pause: Duration) {
        let progress = self.documents.get_mut(uri).and_then(|document| document.progress.take());
        if let Some(token) = progress {
            self.notify("$/progress", json!({ "token": token, "value": { "kind": "end" } }));
        }
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.stop();
        self.n_generations += 1;
        document.generation = self.n_generations;
        document.stop = Arc::default();
        document.is_working = true;
        document.analysis = crate::view::Analysis::default();
        document.analyzed = document.text.clone();
        let is_java = analysis::is_java(&document.path);
        let job = Job {
            uri: uri.to_owned(),
            path: document.path.clone(),
            text: (!is_java).then(|| Arc::from(document.text.content())),
            generation: document.generation,
            stop: Arc::clone(&document.stop),
            pause,
        };
        if is_java {
            // What is compiled is what is saved.
            document.analyzed = Text::new(disk::text(&document.path));
        }
        let (planner, cache) = (Arc::clone(&self.planner), Arc::clone(&self.cache));
        let events = self.events.clone();
        let _worker = std::thread::spawn(move || {
            let report = |news: News| {
                let (uri, generation) = (job.uri.clone(), job.generation);
                // The receiver is gone where the server has ended.
                let _ = events.send(Event::News { uri, generation, news });
            };
            job.run(&*planner, &cache, &report);
        });
    }

    fn news(&mut self, uri: &str, generation: u64, news: News) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        if document.generation != generation {
            return;
        }
        document.take(news);
        let (missing, all) = document.analysis.goals.counts();
        let (others, more) = document.analysis.properties.counts();
        let (left, all) = (missing + others, all + more);
        let is_working = document.is_working;
        let token = document.progress.clone();
        let version = document.version;
        match token {
            None if is_working && left > 0 && self.client.progress => {
                let token = format!("glassbox/{uri}/{version}");
                if let Some(document) = self.documents.get_mut(uri) {
                    document.progress = Some(token.clone());
                }
                self.begin_progress(&token, "Glassbox");
            }
            Some(token) if !is_working => {
                if let Some(document) = self.documents.get_mut(uri) {
                    document.progress = None;
                }
                self.notify("$/progress", json!({ "token": token, "value": { "kind": "end" } }));
            }
            Some(token) => self.progress(&token, all - left, all),
            None => {}
        }
        if !is_working {
            self.refresh();
        }
    }

    /// Deeper results have come: what was answered before may be more now.
    fn refresh(&mut self) {
        if self.client.refresh_lenses {
            self.demand("workspace/codeLens/refresh", Value::Null);
        }
        if self.client.refresh_hints {
            self.demand("workspace/inlayHint/refresh", Value::Null);
        }
    }

    /// Publishes what is new, and answers who waited for it.
    pub(crate) fn settle(&mut self) {
        let open: Vec<String> = self
            .documents
            .iter()
            .filter(|(_, document)| document.analysis.is_open())
            .map(|(uri, _)| uri.clone())
            .collect();
        for uri in open {
            let Some(document) = self.documents.get_mut(&uri) else { continue };
            let is_dirty = std::mem::take(&mut document.is_dirty);
            let waiting = std::mem::take(&mut document.waiting);
            if is_dirty {
                let found = guarded(|| diagnostics(&document.page())).unwrap_or_default();
                let params =
                    json!({ "uri": uri, "version": document.version, "diagnostics": found });
                self.notify("textDocument/publishDiagnostics", params);
            }
            for Waiting { id, ask } in waiting {
                let answer = guarded(|| self.answer(&uri, &ask));
                match answer {
                    Ok(answer) => self.reply(&id, answer),
                    Err(message) => self.fail(&id, code::INTERNAL_ERROR, &message),
                }
            }
        }
    }

    /// Ends a request that waits, or a command that runs.
    fn cancel(&mut self, id: &Value) {
        let waits = |document: &mut Document| {
            let at = document.waiting.iter().position(|waiting| waiting.id == *id)?;
            Some(document.waiting.remove(at))
        };
        if self.documents.values_mut().find_map(waits).is_some() {
            self.fail(id, code::CANCELLED, "cancelled");
        }
        if let Some(running) = self.running.get(&id.to_string()) {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Ends what shows its progress under a token.
    fn cancel_token(&mut self, token: &Value) {
        let Some(token) = token.as_str() else { return };
        let documents = self.documents.values();
        documents.filter(|it| it.progress.as_deref() == Some(token)).for_each(Document::stop);
        for running in self.running.values().filter(|it| it.token.as_deref() == Some(token)) {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    fn stop_all(&mut self) {
        self.documents.values().for_each(Document::stop);
        for running in self.running.values() {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        // A client that does not read any more has left, and the input says so.
        let _ = wire::write(&mut self.output, &message);
    }

    fn reply(&mut self, id: &Value, result: Value) {
        self.send(json!({ "id": id, "result": result }));
    }

    fn fail(&mut self, id: &Value, code: i64, message: &str) {
        self.send(json!({ "id": id, "error": { "code": code, "message": message } }));
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// A request of ours.
    fn demand(&mut self, method: &str, params: Value) {
        self.n_requests += 1;
        let id = format!("glassbox-{}", self.n_requests);
        self.send(json!({ "id": id, "method": method, "params": params }));
    }

    fn log(&mut self, message: &str) {
        self.notify("window/logMessage", json!({ "type": 2, "message": message }));
    }

    fn begin_progress(&mut self, token: &str, title: &str) {
        self.demand("window/workDoneProgress/create", json!({ "token": token }));
        let value =
            json!({ "kind": "begin", "title": title, "cancellable": true, "percentage": 0 });
        self.notify("$/progress", json!({ "token": token, "value": value }));
    }

    fn progress(&mut self, token: &str, done: usize, all: usize) {
        let percentage = (100 * done).checked_div(all).unwrap_or(0).min(100);
        let value = json!({
            "kind": "report",
            "message": format!("{done} of {all}"),
            "percentage": percentage,
        });
        self.notify("$/progress", json!({ "token": token, "value": value }));
    }
}

/// The question of a request and its document; `None` where there is no such method.
fn question(method: &str, params: Value) -> Option<Result<(String, Ask), String>> {
    let of = |document: &TextDocumentIdentifier| document.uri.as_str().to_owned();
    Some(match method {
        "textDocument/hover" => typed::<TextDocumentPositionParams>(params)
            .map(|params| (of(&params.text_document), Ask::Hover(params.position))),
        "textDocument/codeLens" => {
            typed::<OfDocument>(params).map(|params| (of(&params.text_document), Ask::Lenses))
        }
        "textDocument/inlayHint" => typed::<InlayHintParams>(params)
            .map(|params| (of(&params.text_document), Ask::Hints(params.range))),
        "textDocument/codeAction" => typed::<CodeActionParams>(params)
            .map(|params| (of(&params.text_document), Ask::Actions(params.range))),
        _ => return None,
    })
}
