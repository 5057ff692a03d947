//! Promotion: scalar locals whose address stays private become SSA values with block parameters.
//!
//! Relation to the input: same behavior. A local is promoted when every use of its address is a whole
//! read or write of one type (and checks of those), none is volatile, and every read is definitely
//! assigned: on each path from `LocalStart`, a write comes first. So reads of indeterminate values stay
//! reads of memory, where the engines see them. Checks that protected only promoted accesses go, marks
//! stay.
//!
//! Block parameters are placed by iterated dominance frontiers, only where the local is live (Cytron
//! et al., TOPLAS 1991; pruned form of Choi, Cytron and Ferrante, POPL 1991).

mod candidates;
mod dataflow;
mod rename;

use crate::cfg::{Cfg, DominatorTree};
use crate::compact::compact;
use crate::func::Body;
use crate::ty::PointerSize;

/// See the module's header.
pub fn promote_locals(body: &mut Body, pointers: PointerSize) {
    let candidates = candidates::find(body, pointers);
    if !candidates.is_empty() {
        let cfg = Cfg::new(body);
        let candidates = dataflow::definitely_assigned(body, &cfg, candidates);
        if !candidates.is_empty() {
            let live = dataflow::live_in(body, &cfg, &candidates);
            let tree = DominatorTree::new(&cfg);
            rename::rewrite(body, &cfg, &tree, &candidates, &live);
        }
    }
    compact(body);
}
