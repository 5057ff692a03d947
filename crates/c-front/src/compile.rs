//! From checked units to the program representation, with the library models they need.

use glassbox_ir as ir;

use crate::diagnostics::Diagnostic;
use crate::front::{Checked, Front, with_deep_stack};
use crate::libc::{Models, missing_unit};
use crate::linemap::SourceMap;
use crate::lower::{Lowered, Promotion, TextPlaces, lower};

/// What became of the units.
#[derive(Debug)]
pub struct Compiled {
    /// `None` if a diagnostic is an error.
    pub program: Option<ir::Program>,
    /// The program before locals became values, where both are wanted.
    pub unpromoted: Option<ir::Program>,
    /// In order of the source.
    pub diagnostics: Vec<Diagnostic>,
    pub places: TextPlaces,
    /// For showing the diagnostics, and for what `places` refer to.
    pub sources: SourceMap,
}

/// Adds the library models that the units call and do not define, then lowers everything.
pub fn compile(front: Front, promotion: Promotion) -> Compiled {
    let Checked { program, sources, diagnostics } = with_library(front).finish();
    if diagnostics.iter().any(Diagnostic::is_error) {
        let places = TextPlaces::default();
        return Compiled { program: None, unpromoted: None, diagnostics, places, sources };
    }
    let models = Models::pair(&program);
    let lowered = with_deep_stack(|| lower(&program, &sources, &models, promotion));
    let Lowered { program, unpromoted, places } = lowered;
    Compiled { program: Some(program), unpromoted, diagnostics, places, sources }
}

/// A unit that includes nothing, from memory. Its name in places is `f.c`.
pub fn compile_text(text: &str) -> Compiled {
    let mut front = Front::new();
    front.add_unit("f.c", text.as_bytes().to_vec(), &mut |_| None);
    compile(front, Promotion::Promote)
}

fn with_library(mut front: Front) -> Front {
    front.set_meaning_of_models();
    // One round is enough unless a model calls, through a header's name, another model.
    for _ in 0..4 {
        let Some(unit) = missing_unit(front.program()) else { break };
        front.add_unit(unit.name, unit.text.into_bytes(), &mut |_| None);
    }
    front
}
