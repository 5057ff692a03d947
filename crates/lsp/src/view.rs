//! What an editor shows of an analysis: each kind of view is a file that turns results into the protocol's types.

pub(crate) mod action;
pub(crate) mod diagnostic;
pub(crate) mod hint;
pub(crate) mod hover;
pub(crate) mod lens;
pub(crate) mod words;

use std::path::Path;
use std::sync::Arc;

use glassbox_driver::listener::{Location, Problem};
use glassbox_driver::live::{Looked, Portrait};
use glassbox_report::data::{Function, Goal, SuiteData};
use lsp_types::{Position, Range};

use crate::cache::Side;
use crate::text::Text;
use crate::uri;

/// What is known about a version of a document.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    pub(crate) goals: OneSide,
    pub(crate) properties: OneSide,
}

/// What is known about one of the two questions.
#[derive(Debug, Default)]
pub(crate) struct OneSide {
    pub(crate) portraits: Vec<Portrait>,
    /// By function.
    pub(crate) looked: Vec<Option<Arc<Looked>>>,
    pub(crate) problems: Vec<Problem>,
    /// The program was read, or could not be.
    pub(crate) is_open: bool,
}

impl Analysis {
    pub(crate) fn side(&mut self, side: Side) -> &mut OneSide {
        match side {
            Side::Goals => &mut self.goals,
            Side::Properties => &mut self.properties,
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.goals.is_open && self.properties.is_open
    }
}

impl OneSide {
    /// Functions that are not looked at yet, and all.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.looked.iter().filter(|looked| looked.is_none()).count(), self.looked.len())
    }

    pub(crate) fn results(&self) -> impl Iterator<Item = &Looked> {
        self.looked.iter().flatten().map(Arc::as_ref)
    }
}

/// A document with what is known about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a Text,
    pub(crate) analysis: &'a Analysis,
}

impl Page<'_> {
    /// Whether a file of the program is this document.
    pub(crate) fn is_here(&self, file: Option<&str>) -> bool {
        let Some(file) = file else { return false };
        std::path::absolute(file).is_ok_and(|file| file == self.path)
    }

    /// Where a goal stands.
    pub(crate) fn range(&self, suite: &SuiteData, goal: &Goal) -> Range {
        if !suite.language.has_columns() {
            return self.text.whole_line(goal.line);
        }
        self.text.range((goal.line, goal.column), (goal.end_line, goal.end_column))
    }

    /// A place in any file.
    pub(crate) fn location(&self, place: &Location) -> Option<lsp_types::Location> {
        let range = if self.is_here(Some(&place.file)) {
            self.text.range(place.start, place.end)
        } else {
            let plain = |(line, column): (u32, u32)| {
                Position::new(line.saturating_sub(1), column.saturating_sub(1))
            };
            Range::new(plain(place.start), plain(place.end.max(place.start)))
        };
        Some(lsp_types::Location { uri: uri::typed(&uri::of_path(Path::new(&place.file)))?, range })
    }

    /// A line of a file, counted from 1.
    pub(crate) fn line(&self, file: &str, line: u32) -> Option<lsp_types::Location> {
        let range = if self.is_here(Some(file)) {
            self.text.whole_line(line)
        } else {
            let at = Position::new(line.saturating_sub(1), 0);
            Range::new(at, at)
        };
        Some(lsp_types::Location { uri: uri::typed(&uri::of_path(Path::new(file)))?, range })
    }
}

/// The goals of what was found, each with its function.
pub(crate) fn goals(side: &OneSide) -> impl Iterator<Item = (&Looked, &Function, &Goal)> {
    side.results().flat_map(|looked| {
        let functions = looked.suite.functions.iter();
        functions.flat_map(move |function| {
            function.goals.iter().map(move |goal| (looked, function, goal))
        })
    })
}
