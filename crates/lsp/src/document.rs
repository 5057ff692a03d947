//! An open document: its text, what is known about it, and who waits for that.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lsp_types::{Position, Range};
use serde_json::Value;

use crate::analysis::News;
use crate::cache::Side;
use crate::text::Text;
use crate::view::{Analysis, Page};

/// A question about a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ask {
    Hover(Position),
    Lenses,
    Hints(Range),
    Actions(Range),
}

/// A request that is answered when the analysis has begun.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) id: Value,
    pub(crate) ask: Ask,
}

#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    pub(crate) version: i32,
    pub(crate) text: Text,
    /// The text that is looked at; another one where only what is saved is read.
    pub(crate) analyzed: Text,
    pub(crate) analysis: Analysis,
    /// Counts analyses over all documents.
    pub(crate) generation: u64,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) waiting: Vec<Waiting>,
    /// There is something to publish.
    pub(crate) is_dirty: bool,
    /// Threads are at work.
    pub(crate) is_working: bool,
    /// The token of the progress that is shown.
    pub(crate) progress: Option<String>,
}

impl Document {
    pub(crate) fn new(path: PathBuf, version: i32, text: String) -> Document {
        Document {
            path,
            version,
            text: Text::new(text),
            analyzed: Text::default(),
            analysis: Analysis::default(),
            generation: 0,
            stop: Arc::default(),
            waiting: Vec::new(),
            is_dirty: false,
            is_working: false,
            progress: None,
        }
    }

    /// Ends the searches of the version before.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// What is known, about the text that it is about.
    pub(crate) fn page(&self) -> Page<'_> {
        Page { path: &self.path, text: &self.analyzed, analysis: &self.analysis }
    }

    /// Whether positions of the editor are those of the analysis.
    pub(crate) fn is_current(&self) -> bool {
        self.analyzed == self.text
    }

    /// Takes news of its own generation.
    pub(crate) fn take(&mut self, news: News) {
        self.is_dirty = true;
        match news {
            News::Opened { side, portraits, known, problems } => {
                let own = self.analysis.side(side);
                own.portraits = portraits;
                own.looked = known;
                own.problems = problems;
                own.is_open = true;
            }
            News::Refused { side, problems } => {
                let own = self.analysis.side(side);
                own.problems = problems;
                own.is_open = true;
            }
            News::Found { side, position, looked } => {
                if let Some(place) = self.analysis.side(side).looked.get_mut(position) {
                    *place = Some(looked);
                }
            }
            News::Ended => {
                self.is_working = false;
                for side in Side::ALL {
                    self.analysis.side(side).is_open = true;
                }
            }
        }
        // Both sides read the same file and say the same about it.
        let known = &self.analysis.goals.problems;
        self.analysis.properties.problems.retain(|problem| !known.contains(problem));
    }
}
