//! Answers to questions about a document.

use std::io::Write;
use std::path::{Path, PathBuf};

use lsp_types::Range;
use serde_json::{Value, json};

use super::Server;
use crate::contract_edit::{self, insertion};
use crate::document::{Ask, Document};
use crate::text::Text;
use crate::view::action::{Proposal, proposals};
use crate::view::diagnostic::diagnostics;
use crate::view::hint::hints;
use crate::view::hover::hover;
use crate::view::lens::lenses;
use crate::{disk, uri};

impl<W: Write> Server<W> {
    pub(super) fn answer(&self, uri: &str, ask: &Ask) -> Value {
        let Some(document) = self.documents.get(uri) else { return Value::Null };
        let page = document.page();
        // What is known is about another text.
        if !document.is_current() && *ask != Ask::Lenses {
            return Value::Null;
        }
        match ask {
            Ask::Lenses => json!(lenses(&page, uri)),
            Ask::Hover(position) => json!(hover(&page, *position)),
            Ask::Hints(range) => json!(hints(&page, *range)),
            Ask::Actions(range) => self.actions(document, *range),
        }
    }

    fn actions(&self, document: &Document, range: Range) -> Value {
        let page = document.page();
        let all = proposals(&page, range);
        let shown = diagnostics(&page);
        let action = |proposal: &Proposal| {
            let edit = self.edit(document, proposal)?;
            let is_about = |data: &Value| {
                data["function"] == proposal.function && data["goal"] == proposal.goal
            };
            let about: Vec<_> =
                shown.iter().filter(|it| it.data.as_ref().is_some_and(is_about)).collect();
            Some(json!({
                "title": contract_edit::title(&proposal.function, &proposal.clause),
                "kind": "quickfix",
                "diagnostics": about,
                "edit": edit,
            }))
        };
        json!(all.iter().filter_map(action).collect::<Vec<Value>>())
    }

    /// The change of glassbox.toml, which is made where there is none.
    fn edit(&self, document: &Document, proposal: &Proposal) -> Option<Value> {
        let found = glassbox_contract::nearest(std::slice::from_ref(&document.path));
        let is_new = found.is_none();
        let path = found.unwrap_or_else(|| new_file(&document.path));
        let name = uri::of_path(&path);
        let text = disk::text(&path);
        let edit = insertion(&path, &text, &proposal.function, &proposal.clause)?;
        let text = Text::new(text);
        let range = Range::new(text.at(edit.start), text.at(edit.end));
        let edits = json!([{ "range": range, "newText": edit.text }]);
        if !self.client.document_changes {
            return Some(json!({ "changes": { name: edits } }));
        }
        let change = json!({ "textDocument": { "uri": name, "version": null }, "edits": edits });
        let create =
            json!({ "kind": "create", "uri": name, "options": { "ignoreIfExists": true } });
        Some(match is_new && self.client.creates_files {
            true => json!({ "documentChanges": [create, change] }),
            false => json!({ "documentChanges": [change] }),
        })
    }
}

/// Where a new file of contracts goes: the folder of the workspace, where the source is below it.
fn new_file(source: &Path) -> PathBuf {
    let beside = source.parent().unwrap_or(Path::new("/")).to_owned();
    let root = std::env::current_dir().ok().filter(|root| source.starts_with(root));
    root.unwrap_or(beside).join("glassbox.toml")
}
