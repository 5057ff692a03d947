//! The stages of solving one system, in their order, and which systems each is for.
//!
//! Some layers are asked twice. Labelling, the relaxation and the complete layer find most answers with few
//! steps, so each has a short try before the dearer stages; and a conjunction over floats that the complete
//! layer gave up gets a longer local search at the end.

use glassbox_terms::Terms;

use crate::answer::Why;
use crate::layer::{System, Verdict, descent};
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

/// Beyond this many subterms on the stack, only the complete layer is asked, which has its own bound.
const MAX_ENGINE_NODES: usize = 500_000;

/// Beyond this many subterms of a system, it is not relaxed.
const MAX_RELAX_NODES: usize = 5_000;

/// Beyond this many subterms of a system, its circuit is not made before the domains are searched.
const MAX_QUICK_BLAST_NODES: usize = 300;

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

    /// Whether the system is the stage's business, and not too large for it. `last` is what the stage
    /// before said; the engine sees the whole stack of `n_stack_nodes`.
    pub(crate) fn applies(
        self,
        terms: &Terms,
        system: &System,
        n_nodes: usize,
        n_stack_nodes: usize,
        last: &Verdict,
    ) -> bool {
        match self {
            Stage::Propagate | Stage::QuickLabel | Stage::Label => {
                n_stack_nodes <= MAX_ENGINE_NODES
            }
            Stage::Relax | Stage::LongRelax => n_nodes <= MAX_RELAX_NODES,
            Stage::QuickBlast => {
                n_nodes <= MAX_QUICK_BLAST_NODES && !descent::applies(terms, system)
            }
            Stage::Descent => n_nodes <= MAX_ENGINE_NODES && descent::applies(terms, system),
            Stage::Blast => true,
            Stage::LongDescent => {
                matches!(last, Verdict::GaveUp(Why::TooLarge | Why::Budget))
                    && n_nodes <= MAX_ENGINE_NODES
                    && descent::applies(terms, system)
            }
        }
    }
}
