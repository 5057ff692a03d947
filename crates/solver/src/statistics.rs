//! What a solver has done so far, layer by layer.

use std::time::Duration;

use crate::options::Layer;

impl LayerStatistics {
    fn add(&mut self, other: &LayerStatistics) {
        self.asked += other.asked;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.missed += other.missed;
        self.wrong += other.wrong;
        self.steps += other.steps;
        self.time += other.time;
    }
}

/// The account of one layer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LayerStatistics {
    /// Systems it was given.
    pub asked: u64,
    /// Systems it found a model for.
    pub sat: u64,
    /// Systems it refuted.
    pub unsat: u64,
    /// Proposals, of layers that propose, that did not hold.
    pub missed: u64,
    /// Models it claimed that did not hold: bugs.
    pub wrong: u64,
    /// Steps in the layer's own measure.
    pub steps: u64,
    /// Time spent, when `Options::timing` is on.
    pub time: Duration,
}

/// The account of a solver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    pub checks: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    layers: [LayerStatistics; Layer::ALL.len()],
}

impl Statistics {
    pub fn layer(&self, layer: Layer) -> &LayerStatistics {
        &self.layers[layer.index()]
    }

    pub(crate) fn layer_mut(&mut self, layer: Layer) -> &mut LayerStatistics {
        &mut self.layers[layer.index()]
    }

    /// Adds what another solver did.
    pub fn add(&mut self, other: &Statistics) {
        self.checks += other.checks;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        for (own, other) in self.layers.iter_mut().zip(&other.layers) {
            own.add(other);
        }
    }

    /// Every layer with its account, in the order they run.
    pub fn layers(&self) -> impl Iterator<Item = (Layer, &LayerStatistics)> {
        Layer::ALL.iter().map(|&layer| (layer, self.layer(layer)))
    }
}
