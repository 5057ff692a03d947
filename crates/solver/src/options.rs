//! What a solver may do: layers on and off, steps, memory, the emergency stop.

use std::time::Duration;

use crate::patience::StopFlag;
use crate::second_opinion::SecondOpinion;

/// The layers, in the order they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// Flattening, substitution of solved equations, constant folding.
    Rewrite,
    /// Only the systems that share variables with what is new.
    Split,
    /// The last models, and the cores of earlier checks.
    Reuse,
    /// Domains to a fixpoint.
    Propagate,
    /// Search over the domains.
    Label,
    /// Linear relaxation.
    Relax,
    /// Local search, for floats.
    Descent,
    /// The complete layer.
    Blast,
}

impl Layer {
    pub const ALL: [Layer; 8] = [
        Layer::Rewrite,
        Layer::Split,
        Layer::Reuse,
        Layer::Propagate,
        Layer::Label,
        Layer::Relax,
        Layer::Descent,
        Layer::Blast,
    ];

    /// The name in statistics and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Rewrite => "rewrite",
            Layer::Split => "split",
            Layer::Reuse => "reuse",
            Layer::Propagate => "propagate",
            Layer::Label => "label",
            Layer::Relax => "relax",
            Layer::Descent => "descent",
            Layer::Blast => "blast",
        }
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// A set of layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layers(u16);

impl Layers {
    pub const NONE: Layers = Layers(0);
    pub const ALL: Layers = Layers((1 << Layer::ALL.len()) - 1);

    #[must_use]
    pub fn with(self, layer: Layer) -> Layers {
        Layers(self.0 | 1 << layer.index())
    }

    #[must_use]
    pub fn without(self, layer: Layer) -> Layers {
        Layers(self.0 & !(1 << layer.index()))
    }

    pub fn has(self, layer: Layer) -> bool {
        self.0 >> layer.index() & 1 == 1
    }
}

/// The steps that one check may take in each layer. The same steps give the same answer on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    /// Runs of propagators until the fixpoint. Default 20 000.
    pub propagate: u64,
    /// Runs of propagators for probing both sides of undecided conditions. Default 5000.
    pub probe: u64,
    /// Runs of propagators during the search over domains. Default 5000.
    pub label: u64,
    /// Operations on integers of the linear relaxation, see `glassbox_relax`. Default 20 000,
    /// some 600 microseconds.
    pub relax: u64,
    /// Instructions of the compiled formula during local search. Default 2 000 000.
    pub descent: u64,
    /// Conflicts of the SAT solver. Default 5 000 000.
    pub conflicts: u64,
}

impl Default for Steps {
    fn default() -> Steps {
        Steps {
            propagate: 20_000,
            probe: 5_000,
            label: 5_000,
            relax: 20_000,
            descent: 2_000_000,
            conflicts: 5_000_000,
        }
    }
}

/// How a solver works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Which layers are on. Default all.
    pub layers: Layers,
    pub steps: Steps,
    /// Gates of the circuits of the complete layer: the memory bound. Default three million, about 150
    /// megabytes.
    pub max_gates: usize,
    /// Terms in the arena beyond which a check is `Unknown(TooLarge)`. Default 20 million.
    pub max_terms: usize,
    /// The emergency stop of one check by the wall clock. Default none.
    pub time_limit: Option<Duration>,
    /// The emergency stop by a flag of the caller. Default none.
    pub stop: StopFlag,
    /// Whether the statistics measure the time of each layer, which costs a look at the clock for each.
    /// Default off.
    pub timing: bool,
    /// Seed of the layers that choose. Default 0.
    pub seed: u64,
    /// Another solver that is asked about every refutation. Default none.
    pub second_opinion: Option<SecondOpinion>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            layers: Layers::ALL,
            steps: Steps::default(),
            max_gates: 3_000_000,
            max_terms: 20_000_000,
            time_limit: None,
            stop: StopFlag::default(),
            timing: false,
            seed: 0,
            second_opinion: None,
        }
    }
}
