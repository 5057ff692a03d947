//! The store: one domain per variable, and the trail that undoes every narrowing.
//!
//! Only narrowing is possible: a new domain is met with the old one, nothing happens when that is no
//! progress, and a conflict is reported when nothing is left. Every change is one trail entry with
//! its reason, so that undoing is O(1) per change and a conflict can be explained.

use crate::domain::{BitsDomain, Clockwise, Domain, FloatInterval, Truth, WideBits};
use crate::network::PropIdx;
use crate::reason::{AssertId, Premises, Reason};

/// A variable of one store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarIdx(u32);

impl VarIdx {
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable with that index; meant for dense tables beside the store.
    pub fn from_index(index: usize) -> VarIdx {
        VarIdx(u32::try_from(index).expect("fewer than 2^32 variables"))
    }
}

impl std::fmt::Debug for VarIdx {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "x{}", self.0)
    }
}

/// No value is left for some variable. What failed and why is kept in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conflict;

/// The outcome of a narrowing: whether something changed.
pub type Narrowed = Result<bool, Conflict>;

/// The step of the derivation that found the conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    pub reason: Reason,
    /// The variable that lost its last value, if one did.
    pub var: Option<VarIdx>,
}

/// One narrowing, as the trail remembers it.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    pub var: VarIdx,
    pub reason: Reason,
}

/// A point of the trail to come back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    trail: u32,
    asleep: u32,
    assertion_list: u32,
    variable_list: u32,
}

/// Domains and trail.
#[derive(Debug, Clone)]
pub struct Store {
    domains: Vec<Domain>,
    changes: Vec<Change>,
    // Parallel to `changes`: the domain before.
    old_domains: Vec<Domain>,
    changed: Vec<VarIdx>,
    reason: Reason,
    failure: Option<Failure>,
    assertion_list: Vec<AssertId>,
    variable_list: Vec<VarIdx>,
    // By propagator: entailed until undone.
    asleep: Vec<bool>,
    asleep_stack: Vec<PropIdx>,
}

impl Default for Store {
    fn default() -> Store {
        Store {
            domains: Vec::new(),
            changes: Vec::new(),
            old_domains: Vec::new(),
            changed: Vec::new(),
            reason: Reason::Decision { level: 0 },
            failure: None,
            assertion_list: Vec::new(),
            variable_list: Vec::new(),
            asleep: Vec::new(),
            asleep_stack: Vec::new(),
        }
    }
}

impl Store {
    pub fn new() -> Store {
        Store::default()
    }

    /// A new variable. Its first domain needs no reason: it must hold by the variable's sort alone,
    /// or because the variable is a constant.
    pub fn add_var(&mut self, domain: Domain) -> VarIdx {
        let var = VarIdx::from_index(self.domains.len());
        self.domains.push(domain);
        var
    }

    pub fn n_vars(&self) -> usize {
        self.domains.len()
    }

    #[inline]
    pub fn domain(&self, var: VarIdx) -> &Domain {
        &self.domains[var.index()]
    }

    /// The domain of a boolean; `Unknown` for any other variable.
    #[inline]
    pub fn truth(&self, var: VarIdx) -> Truth {
        match &self.domains[var.index()] {
            Domain::Bool(truth) => *truth,
            Domain::Bits(_) | Domain::Wide(_) | Domain::Float(_) | Domain::Opaque => Truth::Unknown,
        }
    }

    /// The domain of a bit-vector of at most 64 bits. The variable must be one.
    #[inline]
    pub fn bits(&self, var: VarIdx) -> &BitsDomain {
        let domain = &self.domains[var.index()];
        let Domain::Bits(bits) = domain else {
            panic!("{var:?} should be a bit-vector of at most 64 bits, is {domain:?}")
        };
        bits
    }

    /// The domain of a bit-vector of more than 64 bits. The variable must be one.
    pub fn wide(&self, var: VarIdx) -> &WideBits {
        let domain = &self.domains[var.index()];
        let Domain::Wide(wide) = domain else {
            panic!("{var:?} should be a bit-vector of more than 64 bits, is {domain:?}")
        };
        wide
    }

    /// The domain of a float. The variable must be one.
    pub fn float(&self, var: VarIdx) -> &FloatInterval {
        let domain = &self.domains[var.index()];
        let Domain::Float(float) = domain else {
            panic!("{var:?} should be a float, is {domain:?}")
        };
        float
    }

    pub fn is_fixed(&self, var: VarIdx) -> bool {
        self.domains[var.index()].is_fixed()
    }

    /// Fixes a boolean.
    #[inline]
    pub fn set_truth(&mut self, var: VarIdx, truth: bool, why: Premises) -> Narrowed {
        match (self.truth(var), truth) {
            (Truth::Unknown, _) => {
                self.replace(var, Domain::Bool(Truth::from(truth)), why);
                Ok(true)
            }
            (Truth::True, true) | (Truth::False, false) => Ok(false),
            (Truth::True, false) | (Truth::False, true) => self.fail_on(var, why),
        }
    }

    /// Meets the domain of a bit-vector of at most 64 bits.
    #[inline]
    pub fn narrow_bits(&mut self, var: VarIdx, with: &BitsDomain, why: Premises) -> Narrowed {
        let met = self.bits(var).meet(with);
        self.keep_bits(var, met, why)
    }

    /// Meets with a clockwise interval only: cheaper than `narrow_bits`.
    #[inline]
    pub fn narrow_interval(&mut self, var: VarIdx, with: Clockwise, why: Premises) -> Narrowed {
        let old = self.bits(var);
        if with.contains_all(old.interval()) {
            return Ok(false);
        }
        let met = old.meet_interval(with);
        self.keep_bits(var, met, why)
    }

    /// Meets with known bits only.
    #[inline]
    pub fn narrow_known(&mut self, var: VarIdx, ones: u64, zeros: u64, why: Premises) -> Narrowed {
        let met = self.bits(var).meet_known(ones, zeros);
        self.keep_bits(var, met, why)
    }

    /// Fixes a bit-vector of at most 64 bits.
    pub fn set_bits(&mut self, var: VarIdx, value: u64, why: Premises) -> Narrowed {
        let old = self.bits(var);
        if !old.contains(value) {
            return self.fail_on(var, why);
        }
        if old.is_fixed() {
            return Ok(false);
        }
        let new = BitsDomain::point(value, old.width());
        self.replace(var, Domain::Bits(new), why);
        Ok(true)
    }

    /// Meets the domain of a wide bit-vector.
    pub fn narrow_wide(&mut self, var: VarIdx, with: &WideBits, why: Premises) -> Narrowed {
        let met = self.wide(var).meet(with);
        self.keep(var, met.map(Domain::Wide), why)
    }

    /// Meets the domain of a float.
    pub fn narrow_float(&mut self, var: VarIdx, with: &FloatInterval, why: Premises) -> Narrowed {
        let met = self.float(var).meet(with);
        self.keep(var, met.map(Domain::Float), why)
    }

    /// Meets a domain of any sort; both must be of one sort.
    pub fn narrow(&mut self, var: VarIdx, with: &Domain, why: Premises) -> Narrowed {
        match with {
            Domain::Bool(Truth::Unknown) | Domain::Opaque => Ok(false),
            Domain::Bool(truth) => self.set_truth(var, *truth == Truth::True, why),
            Domain::Bits(bits) => self.narrow_bits(var, bits, why),
            Domain::Wide(wide) => self.narrow_wide(var, wide, why),
            Domain::Float(float) => self.narrow_float(var, float, why),
        }
    }

    /// As `keep`, for the most frequent kind of domain.
    #[inline]
    fn keep_bits(&mut self, var: VarIdx, left: Option<BitsDomain>, why: Premises) -> Narrowed {
        match left {
            None => self.fail_on(var, why),
            Some(left) if left == *self.bits(var) => Ok(false),
            Some(left) => {
                self.replace(var, Domain::Bits(left), why);
                Ok(true)
            }
        }
    }

    /// Replaces a domain by what is left of it.
    fn keep(&mut self, var: VarIdx, left: Option<Domain>, why: Premises) -> Narrowed {
        match left {
            None => self.fail_on(var, why),
            Some(left) if left == self.domains[var.index()] => Ok(false),
            Some(left) => {
                self.replace(var, left, why);
                Ok(true)
            }
        }
    }

    /// Reports that the running propagator has no solution, because of the given arguments.
    pub fn fail(&mut self, why: Premises) -> Conflict {
        self.failure = Some(Failure { reason: self.reason_with(why), var: None });
        Conflict
    }

    #[cold]
    fn fail_on(&mut self, var: VarIdx, why: Premises) -> Narrowed {
        self.failure = Some(Failure { reason: self.reason_with(why), var: Some(var) });
        Err(Conflict)
    }

    #[inline]
    fn reason_with(&self, why: Premises) -> Reason {
        if let Reason::Propagator(prop, _) = self.reason {
            Reason::Propagator(prop, why)
        } else {
            self.reason
        }
    }

    #[inline]
    fn replace(&mut self, var: VarIdx, new: Domain, why: Premises) {
        let reason = self.reason_with(why);
        let old = std::mem::replace(&mut self.domains[var.index()], new);
        self.changes.push(Change { var, reason });
        self.old_domains.push(old);
        self.changed.push(var);
    }

    /// Names the reason of the changes that follow. For a propagator the premises come with each
    /// change.
    #[inline]
    pub fn set_reason(&mut self, reason: Reason) {
        self.reason = reason;
    }

    /// A reason made of assertions, for deductions of other engines.
    pub fn assertions_reason(&mut self, assertions: &[AssertId]) -> Reason {
        let (start, len) = append(&mut self.assertion_list, assertions);
        Reason::Assertions { start, len }
    }

    /// A reason made of the present domains of variables.
    pub fn variables_reason(&mut self, vars: &[VarIdx]) -> Reason {
        let (start, len) = append(&mut self.variable_list, vars);
        Reason::Variables { start, len }
    }

    pub fn assertion_list(&self, start: u32, len: u32) -> &[AssertId] {
        &self.assertion_list[start as usize..(start + len) as usize]
    }

    pub fn variable_list(&self, start: u32, len: u32) -> &[VarIdx] {
        &self.variable_list[start as usize..(start + len) as usize]
    }

    /// The variables changed since the last call of `clear_changed`, with repetitions.
    pub fn changed(&self) -> &[VarIdx] {
        &self.changed
    }

    pub fn clear_changed(&mut self) {
        self.changed.clear();
    }

    pub(crate) fn take_changed(&mut self, into: &mut Vec<VarIdx>) {
        std::mem::swap(&mut self.changed, into);
    }

    /// What the last conflict was about.
    pub fn failure(&self) -> Option<Failure> {
        self.failure
    }

    pub(crate) fn restore_failure(&mut self, failure: Option<Failure>) {
        self.failure = failure;
    }

    /// The trail, oldest change first.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The domain that the trail entry replaced.
    pub fn domain_before(&self, change_index: usize) -> &Domain {
        &self.old_domains[change_index]
    }

    pub(crate) fn is_asleep(&self, prop: PropIdx) -> bool {
        self.asleep.get(prop.index()).copied().unwrap_or(false)
    }

    pub(crate) fn put_to_sleep(&mut self, prop: PropIdx) {
        if self.asleep.len() <= prop.index() {
            self.asleep.resize(prop.index() + 1, false);
        }
        if !self.asleep[prop.index()] {
            self.asleep[prop.index()] = true;
            self.asleep_stack.push(prop);
        }
    }

    pub fn mark(&self) -> Mark {
        let length = |n: usize| u32::try_from(n).expect("fewer than 2^32 trail entries");
        Mark {
            trail: length(self.changes.len()),
            asleep: length(self.asleep_stack.len()),
            assertion_list: length(self.assertion_list.len()),
            variable_list: length(self.variable_list.len()),
        }
    }

    /// The length of the trail at a mark.
    pub fn trail_length(mark: Mark) -> usize {
        mark.trail as usize
    }

    /// Restores every domain to what it was at `mark`, which must be older than now.
    pub fn undo_to(&mut self, mark: Mark) {
        let keep = mark.trail as usize;
        while self.changes.len() > keep {
            let change = self.changes.pop().expect("longer than keep");
            let old = self.old_domains.pop().expect("parallel to changes");
            self.domains[change.var.index()] = old;
        }
        while self.asleep_stack.len() > mark.asleep as usize {
            let prop = self.asleep_stack.pop().expect("longer than the mark");
            self.asleep[prop.index()] = false;
        }
        self.assertion_list.truncate(mark.assertion_list as usize);
        self.variable_list.truncate(mark.variable_list as usize);
        self.changed.clear();
        self.failure = None;
    }
}

/// Where the items lie in the list after they were added, and how many they are.
fn append<T: Copy>(list: &mut Vec<T>, items: &[T]) -> (u32, u32) {
    let length = |n: usize| u32::try_from(n).expect("fewer than 2^32 premises");
    let start = length(list.len());
    list.extend_from_slice(items);
    (start, length(items.len()))
}
