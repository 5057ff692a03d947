//! What the server says it can do, what the client said it can, and parameters that may be wrong.

use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    ExecuteCommandOptions, HoverProviderCapability, OneOf, PositionEncodingKind,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::command;

/// What the client can do that the server makes use of.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Client {
    pub(crate) progress: bool,
    pub(crate) show_document: bool,
    pub(crate) refresh_lenses: bool,
    pub(crate) refresh_hints: bool,
    /// Edits of several documents, and such as create files.
    pub(crate) document_changes: bool,
    pub(crate) creates_files: bool,
    /// Files that change on the disk can be watched.
    pub(crate) watches: bool,
    /// It shows the text that a command returns by itself.
    pub(crate) shows_text: bool,
}

impl Client {
    /// From the parameters of `initialize`.
    pub(crate) fn of(params: &Value) -> Client {
        let is = |path: &str| params.pointer(path) == Some(&Value::Bool(true));
        let operations = params.pointer("/capabilities/workspace/workspaceEdit/resourceOperations");
        let creates = operations.and_then(Value::as_array);
        Client {
            progress: is("/capabilities/window/workDoneProgress"),
            show_document: is("/capabilities/window/showDocument/support"),
            refresh_lenses: is("/capabilities/workspace/codeLens/refreshSupport"),
            refresh_hints: is("/capabilities/workspace/inlayHint/refreshSupport"),
            document_changes: is("/capabilities/workspace/workspaceEdit/documentChanges"),
            creates_files: creates.is_some_and(|all| all.contains(&json!("create"))),
            watches: is("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            shows_text: is("/initializationOptions/showsText"),
        }
    }
}

/// The answer to `initialize`.
pub(crate) fn capabilities() -> Value {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
        work_done_progress_options: WorkDoneProgressOptions::default(),
        resolve_provider: None,
    };
    let commands = ExecuteCommandOptions {
        commands: command::ALL.map(str::to_owned).to_vec(),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    };
    let capabilities = ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        execute_command_provider: Some(commands),
        ..ServerCapabilities::default()
    };
    json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "glassbox", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// Parameters in their types, or what is wrong with them.
pub(crate) fn typed<T: DeserializeOwned>(params: Value) -> Result<T, String> {
    serde_json::from_value(params).map_err(|error| error.to_string())
}

/// What asks the client to watch files that analyses read besides the documents.
pub(crate) fn watched_files() -> Value {
    let glob = |pattern: &str| json!({ "globPattern": pattern });
    json!({ "registrations": [{
        "id": "glassbox-files",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": {
            "watchers": [glob("**/glassbox.toml"), glob("**/compile_commands.json"), glob("**/*.h")],
        },
    }] })
}
