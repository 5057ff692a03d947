//! The kit: one relation, all boxes of a small universe, all laws.
//!
//! A box gives every variable a domain: every clockwise interval of its width, wrapping ones
//! included, or what may be known of a boolean. Laws: keeps every solution; fails only without
//! solutions; never grows; decides points, those it narrows to included; a second run changes nothing; undoing restores the box;
//! every reason is enough for what it explains. Large universes are sampled at a fixed step; with
//! `GLASSBOX_ALL_BOXES=1` in the environment every box of at most 3 bits is taken. How often the result is the best arc per variable is
//! printed.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::kernel::Fixpoint;
use glassbox_kernel::{
    AssertId, BitsDomain, Budget, Domain, Kernel, PropIdx, Reason, Truth, VarIdx,
};
use glassbox_propagators::{Relation, Table};

/// The sort of a variable of the universe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    Bool,
    Bits(u8),
}

impl Width {
    fn n_values(self) -> u64 {
        match self {
            Width::Bool => 2,
            Width::Bits(width) => 1 << width,
        }
    }

    fn full(self) -> Domain {
        match self {
            Width::Bool => Domain::Bool(Truth::Unknown),
            Width::Bits(width) => Domain::Bits(BitsDomain::full(width)),
        }
    }

    /// All domains of a box.
    fn choices(self) -> Vec<Domain> {
        match self {
            Width::Bool => [Truth::Unknown, Truth::False, Truth::True].map(Domain::Bool).to_vec(),
            Width::Bits(width) => {
                let size = 1u64 << width;
                let mut arcs = vec![Clockwise::full(width)];
                for lo in 0..size {
                    for span in 0..size - 1 {
                        arcs.push(Clockwise::new(lo, lo + span, width));
                    }
                }
                arcs.into_iter().map(|arc| Domain::Bits(BitsDomain::from_interval(arc))).collect()
            }
        }
    }
}

/// The values of a domain as a set of bits.
fn set_of(domain: &Domain) -> u64 {
    match domain {
        Domain::Bool(truth) => u64::from(truth.allows(false)) | u64::from(truth.allows(true)) << 1,
        Domain::Bits(bits) => {
            (0..=bits.mask()).filter(|&v| bits.contains(v)).fold(0, |set, v| set | 1 << v)
        }
        Domain::Wide(_) | Domain::Float(_) | Domain::Opaque => panic!("not small: {domain:?}"),
    }
}

/// One relation under test.
pub(crate) struct Case {
    pub(crate) name: String,
    /// The sorts of the variables.
    pub(crate) widths: Vec<Width>,
    /// The variable of each argument; repeats where a variable is shared.
    pub(crate) args: Vec<usize>,
    /// Every how many boxes one is taken: prime to the numbers of arcs, 57 and 241, so that every
    /// domain of every variable occurs.
    pub(crate) every: usize,
}

/// How often propagation was as good as it can be.
#[derive(Debug, Default)]
struct Score {
    boxes: usize,
    with_solutions: usize,
    best: usize,
    without: usize,
    refuted: usize,
}

struct Universe {
    widths: Vec<Width>,
    solutions: Vec<Vec<u64>>,
    // By variable and set of values: the span of the best arc that holds the set.
    best_span: Vec<Vec<u64>>,
}

impl Universe {
    fn new(case: &Case, truth: &dyn Fn(&[u64]) -> bool) -> Universe {
        let mut solutions = Vec::new();
        let mut values = vec![0u64; case.widths.len()];
        loop {
            let args: Vec<u64> = case.args.iter().map(|&var| values[var]).collect();
            if truth(&args) {
                solutions.push(values.clone());
            }
            let mut position = 0;
            while position < values.len() {
                values[position] += 1;
                if values[position] < case.widths[position].n_values() {
                    break;
                }
                values[position] = 0;
                position += 1;
            }
            if position == values.len() {
                break;
            }
        }
        let best_span = case.widths.iter().map(|&width| best_spans(width)).collect();
        Universe { widths: case.widths.clone(), solutions, best_span }
    }

    fn solutions_in<'a>(&'a self, sets: &'a [u64]) -> impl Iterator<Item = &'a Vec<u64>> {
        self.solutions.iter().filter(move |solution| {
            solution.iter().zip(sets).all(|(&value, set)| set >> value & 1 == 1)
        })
    }
}

fn best_spans(width: Width) -> Vec<u64> {
    let Width::Bits(bits) = width else {
        return vec![0, 0, 0, 1];
    };
    if bits > 4 {
        return Vec::new();
    }
    let arcs: Vec<(u64, u64)> = width
        .choices()
        .iter()
        .map(|domain| match domain {
            Domain::Bits(bits) => (set_of(domain), bits.interval().span()),
            Domain::Bool(_) | Domain::Wide(_) | Domain::Float(_) | Domain::Opaque => (0, 0),
        })
        .collect();
    (0..1u64 << (1u64 << bits))
        .map(|set| {
            let holding = arcs.iter().filter(|(arc, _)| set & !arc == 0);
            holding.map(|&(_, span)| span).min().expect("the full circle holds every set")
        })
        .collect()
}

/// Runs all laws on all boxes. `truth` takes the arguments, result first.
pub(crate) fn check(case: &Case, relation: Box<dyn Relation>, truth: &dyn Fn(&[u64]) -> bool) {
    let universe = Universe::new(case, truth);
    let mut table = Table::default();
    let kind = table.keep(relation);
    let mut kernel = Kernel::new(table);
    let vars: Vec<VarIdx> =
        case.widths.iter().map(|width| kernel.store.add_var(width.full())).collect();
    let args: Vec<VarIdx> = case.args.iter().map(|&var| vars[var]).collect();
    let prop = kernel.add(kind, &args);
    kernel.activate(prop);
    assert_eq!(kernel.propagate(&mut Budget::steps(1000)), Fixpoint::Reached, "{}", case.name);
    let mut posted = Posted { kernel, prop, vars };
    let choices: Vec<Vec<Domain>> = case.widths.iter().map(|width| width.choices()).collect();
    let n_boxes: usize = choices.iter().map(Vec::len).product();
    let mut score = Score::default();
    let all = std::env::var_os("GLASSBOX_ALL_BOXES").is_some() && n_boxes < 1_000_000;
    let every = if all { 1 } else { case.every };
    for index in (0..n_boxes).step_by(every) {
        let mut rest = index;
        let domains: Vec<Domain> = choices
            .iter()
            .map(|choice| {
                let domain = choice[rest % choice.len()];
                rest /= choice.len();
                domain
            })
            .collect();
        check_box(case, &universe, &mut posted, &domains, &mut score);
    }
    report(&case.name, &score);
}

#[allow(clippy::print_stdout, reason = "the score is shown with --nocapture")]
fn report(name: &str, score: &Score) {
    println!(
        "{name}: {} boxes; best arcs in {} of {} with solutions; {} of {} without refuted",
        score.boxes, score.best, score.with_solutions, score.refuted, score.without
    );
}

/// The relation under test, alone in a kernel.
struct Posted {
    kernel: Kernel<Table>,
    prop: PropIdx,
    vars: Vec<VarIdx>,
}

fn check_box(
    case: &Case,
    universe: &Universe,
    posted: &mut Posted,
    domains: &[Domain],
    score: &mut Score,
) {
    let Posted { kernel, prop, vars } = posted;
    let prop = *prop;
    let kind = kernel.network.kind(prop);
    score.boxes += 1;
    let before: Vec<Domain> = vars.iter().map(|&var| *kernel.store.domain(var)).collect();
    kernel.push();
    let start = kernel.store.changes().len();
    let mut narrowed = true;
    for (&var, domain) in vars.iter().zip(domains) {
        let reason = Reason::Assertion(AssertId(0));
        let outcome = kernel
            .narrow(reason, |store| store.narrow(var, domain, glassbox_kernel::Premises::NONE));
        narrowed &= outcome.is_ok();
        if !narrowed {
            break;
        }
    }
    let sets: Vec<u64> = domains.iter().map(set_of).collect();
    let first: Vec<&Vec<u64>> = universe.solutions_in(&sets).collect();
    let fixpoint =
        if narrowed { kernel.propagate(&mut Budget::steps(1000)) } else { Fixpoint::Conflict };
    let name = &case.name;
    match fixpoint {
        Fixpoint::OutOfBudget => panic!("{name}: unlimited steps ran out on {domains:?}"),
        Fixpoint::Conflict => {
            assert!(first.is_empty(), "{name} fails on {domains:?} with solution {:?}", first[0]);
            score.without += 1;
            score.refuted += 1;
        }
        Fixpoint::Reached => {
            let after: Vec<Domain> = vars.iter().map(|&var| *kernel.store.domain(var)).collect();
            for solution in &first {
                for (position, &value) in solution.iter().enumerate() {
                    let kept = set_of(&after[position]) >> value & 1 == 1;
                    assert!(kept, "{name} loses {solution:?} of {domains:?}: {after:?}");
                }
            }
            for (set, domain) in sets.iter().zip(&after) {
                assert_eq!(set_of(domain) & !set, 0, "{name} grows {domains:?} to {after:?}");
            }
            let is_point = domains.iter().all(Domain::is_fixed);
            assert!(!(is_point && first.is_empty()), "{name} does not decide {domains:?}");
            if after.iter().all(Domain::is_fixed) {
                assert!(!first.is_empty(), "{name} ends {domains:?} in no solution: {after:?}");
            }
            let length = kernel.store.changes().len();
            kernel.wake_all();
            assert_eq!(kernel.propagate(&mut Budget::steps(1000)), Fixpoint::Reached);
            assert_eq!(kernel.store.changes().len(), length, "{name} no fixpoint {domains:?}");
            count(universe, &first, &after, score);
        }
    }
    check_reasons(case, universe, kernel, vars, start);
    assert_eq!(kernel.network.kind(prop), kind);
    assert!(kernel.pop());
    for (&var, domain) in vars.iter().zip(&before) {
        assert_eq!(kernel.store.domain(var), domain, "{name} is not restored after {domains:?}");
    }
}

fn count(universe: &Universe, solutions: &[&Vec<u64>], after: &[Domain], score: &mut Score) {
    if solutions.is_empty() {
        score.without += 1;
        return;
    }
    score.with_solutions += 1;
    let best = after.iter().enumerate().all(|(position, domain)| {
        let set = solutions.iter().fold(0u64, |set, solution| set | 1 << solution[position]);
        match domain {
            Domain::Bool(_) => set_of(domain) == set,
            Domain::Bits(bits) => universe.best_span[position]
                .get(usize::try_from(set).expect("small"))
                .is_none_or(|&span| bits.interval().span() <= span),
            Domain::Wide(_) | Domain::Float(_) | Domain::Opaque => false,
        }
    });
    score.best += usize::from(best);
}

/// Replays the trail: the premises of each change, with the changed variable's previous domain, must
/// imply the change; those of a conflict must have no solution.
fn check_reasons(
    case: &Case,
    universe: &Universe,
    kernel: &Kernel<Table>,
    vars: &[VarIdx],
    start: usize,
) {
    let store = &kernel.store;
    let changes = store.changes();
    let full: Vec<u64> = universe.widths.iter().map(|width| set_of(&width.full())).collect();
    // Domains at the start of the box, found by undoing.
    let mut state: Vec<u64> = vars.iter().map(|&var| set_of(store.domain(var))).collect();
    let position_of =
        |var: VarIdx| vars.iter().position(|&v| v == var).expect("a variable of the case");
    for (index, change) in changes.iter().enumerate().skip(start).rev() {
        let position = position_of(change.var);
        let after = state[position];
        let before = set_of(store.domain_before(index));
        state[position] = before;
        let Reason::Propagator(_, premises) = change.reason else {
            continue;
        };
        let mut sets = full.clone();
        for (argument, &var) in case.args.iter().enumerate() {
            if premises.contains(argument) {
                sets[var] = state[var];
            }
        }
        sets[position] = before;
        if let Some(wrong) =
            universe.solutions_in(&sets).find(|solution| after >> solution[position] & 1 == 0)
        {
            panic!(
                "{}: reason {premises:?} of variable {position} does not exclude {wrong:?}; \
                 premises {sets:?}",
                case.name
            );
        }
    }
    let Some(failure) = store.failure() else {
        return;
    };
    let Reason::Propagator(_, premises) = failure.reason else {
        return;
    };
    let mut sets = full;
    for (argument, &var) in case.args.iter().enumerate() {
        if premises.contains(argument) {
            sets[var] = set_of(store.domain(vars[var]));
        }
    }
    if let Some(var) = failure.var {
        sets[position_of(var)] = set_of(store.domain(var));
    }
    if let Some(wrong) = universe.solutions_in(&sets).next() {
        panic!("{}: conflict {premises:?} has solution {wrong:?} in {sets:?}", case.name);
    }
}
