//! What the methods may cost, in one place; what users may set is in `Options`.

/// Nodes of one region (`gated`).
pub(crate) const REGION_NODES: usize = 1500;

/// Questions that may be given up before the others get a fraction of the conflicts (`gated`): what is hard about
/// them, such as products, is mostly the same.
pub(crate) const GIVEN_UP: u32 = 2;
pub(crate) const FRACTION: u64 = 10;

/// Conflicts that every question without products and float operations gets (`gated`): comparing addresses takes
/// many, and each costs little.
pub(crate) const PLAIN_CONFLICTS: u64 = 5_000;

/// Nodes of all regions that one chain of visits may cost (`induction`).
pub(crate) const CHAIN_NODES: usize = 400;

/// Questions about one head that the solver may give up before no more are asked (`induction`): circuits of products
/// do not get easier with other targets.
pub(crate) const HEAD_GIVEN_UP: u32 = 2;

/// Questions about one head without a proof before no more are asked (`induction`); and where the function multiplies
/// variables, which makes every one of them costly.
pub(crate) const HEAD_FAILED: u32 = 24;
pub(crate) const HEAD_FAILED_WITH_PRODUCTS: u32 = 1;

/// Places in one array parameter, new parameters in one graph, nested choices between arrays that a read looks
/// through (`contents::elements`).
pub(crate) const PLACES: usize = 8;
pub(crate) const ELEMENT_PARAMS: usize = 120;
pub(crate) const READ_DEPTH: u32 = 6;

/// Candidates of one function, instances of one that are assumed, facts that one node may be given (`contents`).
pub(crate) const CANDIDATES: usize = 80;
pub(crate) const INSTANCES: usize = 30;
pub(crate) const FACTS: usize = 40;

/// Rounds after which all candidates are dropped; questions to the solver, conflicts and gates in each (`contents`).
pub(crate) const HOUDINI_ROUNDS: usize = 60;
pub(crate) const HOUDINI_QUESTIONS: u32 = 200;
pub(crate) const HOUDINI_CONFLICTS: u64 = 400;
pub(crate) const HOUDINI_GATES: usize = 60_000;

/// Boxes of fewer floats than this are not cut (`cover`): what is still doubtful there is most likely possible.
pub(crate) const MIN_FLOATS: i64 = 1 << 10;

/// Ways that one run may leave for later (`cover`): more are cheaper to decide in smaller boxes.
pub(crate) const FORKS: usize = 24;
