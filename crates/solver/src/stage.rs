//! The stages of solving one system, in their order, and which systems each is for.
//!
//! Some layers run twice. Labelling, the relaxation and the complete layer find most answers with few
//! steps, so each has a short try before the more expensive stages; and a conjunction over floats that the complete
//! layer gave up gets a longer local search at the end.

use glassbox_terms::Terms;

use crate::answer::Why;
use crate::layer::{System, Verdict, descent};
use crate::limits;
use crate::options::Layer;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Propagate,
    /// A few steps of labelling, which find most models.
    QuickLabel,
    Relax,
    /// A few conflicts of the complete layer, for small systems without floats.
    QuickBlast,
    /// More of the relaxation, where the first try ran out of steps.
    LongRelax,
    Label,
    Descent,
    Blast,
    /// More local search, when the circuits were too large or too hard.
    LongDescent,
}

/// What is known of a system when a stage begins.
#[derive(Debug)]
pub(crate) struct Progress {
    /// Subterms of the system.
    pub(crate) n_nodes: usize,
    /// Subterms of the whole stack, which the engine sees.
    pub(crate) n_stack_nodes: usize,
    /// What the stage before said.
    pub(crate) last: Verdict,
    /// Whether the relaxation used up its steps or boxes, so that more of them might decide.
    pub(crate) relax_is_cut: bool,
}

impl Stage {
    pub(crate) const ORDER: [Stage; 9] = [
        Stage::Propagate,
        Stage::QuickLabel,
        Stage::Relax,
        Stage::QuickBlast,
        Stage::LongRelax,
        Stage::Label,
        Stage::Descent,
        Stage::Blast,
        Stage::LongDescent,
    ];

    pub(crate) fn layer(self) -> Layer {
        match self {
            Stage::Propagate => Layer::Propagate,
            Stage::QuickLabel | Stage::Label => Layer::Label,
            Stage::Relax | Stage::LongRelax => Layer::Relax,
            Stage::Descent | Stage::LongDescent => Layer::Descent,
            Stage::QuickBlast | Stage::Blast => Layer::Blast,
        }
    }

    /// Whether the stage is for systems like this one, and it is not too large.
    pub(crate) fn applies(self, terms: &Terms, system: &System, progress: &Progress) -> bool {
        let n_nodes = progress.n_nodes;
        match self {
            Stage::Propagate | Stage::QuickLabel | Stage::Label => {
                progress.n_stack_nodes <= limits::ENGINE_NODES
            }
            Stage::Relax => n_nodes <= limits::RELAX_NODES,
            Stage::LongRelax => n_nodes <= limits::RELAX_NODES && progress.relax_is_cut,
            Stage::QuickBlast => {
                n_nodes <= limits::QUICK_BLAST_NODES && !descent::applies(terms, system)
            }
            Stage::Descent => n_nodes <= limits::ENGINE_NODES && descent::applies(terms, system),
            Stage::Blast => true,
            Stage::LongDescent => {
                matches!(progress.last, Verdict::GaveUp(Why::TooLarge | Why::Budget))
                    && n_nodes <= limits::ENGINE_NODES
                    && descent::applies(terms, system)
            }
        }
    }
}
