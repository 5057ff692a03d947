//! Path coverage: every sequence of `length` consecutive branch edges that the graph allows.

use glassbox_ir::{BlockId, Body};

use super::{Criterion, Goals};
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Path {
    pub(super) length: usize,
}

/// More sequences than this and the criterion is of no use to anyone.
const MAX_GOALS: usize = 20_000;

impl Criterion for Path {
    fn name(&self) -> &'static str {
        "path"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let body = goals.body();
        let mut n_goals = 0;
        for block in body.block_ids() {
            for sequence in sequences(body, block, self.length) {
                n_goals += 1;
                if n_goals > MAX_GOALS {
                    return;
                }
                let label: Vec<String> =
                    sequence.iter().map(|(block, edge)| format!("{block}.{edge}")).collect();
                let span = body.block(sequence[0].0).terminator_span;
                let text = format!("the edges {} are taken in a row", label.join(" "));
                goals.add(span, &label.join("-"), text, Target::Path(sequence));
            }
        }
    }
}

/// All walks of `length` edges from `block`, shorter where the function ends.
fn sequences(body: &Body, block: BlockId, length: usize) -> Vec<Vec<(BlockId, u32)>> {
    let mut complete = Vec::new();
    let mut open: Vec<(Vec<(BlockId, u32)>, BlockId)> = vec![(Vec::new(), block)];
    while let Some((walk, at)) = open.pop() {
        let targets = body.block(at).terminator.targets();
        if walk.len() == length || targets.is_empty() {
            if walk.len() == length {
                complete.push(walk);
            }
            continue;
        }
        for (edge, target) in (0u32..).zip(targets).collect::<Vec<_>>().into_iter().rev() {
            let mut longer = walk.clone();
            longer.push((at, edge));
            open.push((longer, target.block));
        }
    }
    complete
}
