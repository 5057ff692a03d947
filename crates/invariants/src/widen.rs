//! Widening: bounds that grow move to the next threshold, and in the end away.
//!
//! Thresholds are the program's constants and their neighbors, and the ends of the signed and unsigned
//! ranges. How far a bound moves depends on how often the node was widened, so that every chain ends.

use glassbox_kernel::domain::{Clockwise, FloatInterval};
use glassbox_kernel::{BitsDomain, Domain};
use glassbox_terms::{Op, Terms};

use glassbox_whole::{Facts, Graph};

/// Widenings of one node that may use the program's constants; after as many again only full domains.
const N_PATIENT: u32 = 6;

/// Numbers at which bounds like to stop.
#[derive(Debug, Clone, Default)]
pub struct Thresholds {
    /// Sorted.
    numbers: Vec<i128>,
}

impl Thresholds {
    pub fn new(graph: &Graph) -> Thresholds {
        Thresholds::over(std::iter::once(graph))
    }

    pub fn over<'a>(graphs: impl Iterator<Item = &'a Graph>) -> Thresholds {
        let mut numbers = vec![-1, 0, 1];
        for graph in graphs {
            let mut roots = Vec::new();
            for node in &graph.nodes {
                let facts = node.events.iter().filter_map(glassbox_whole::Event::after);
                // Numbers that other iterations have come to would make every step a small one.
                roots.extend(facts.filter(|fact| !graph.learned.contains(fact)));
                for edge in &node.edges {
                    roots.push(edge.condition);
                    roots.extend(&edge.args);
                }
            }
            constants(&graph.terms, &roots, &mut numbers);
        }
        numbers.sort_unstable();
        numbers.dedup();
        Thresholds { numbers }
    }

    /// The first threshold at or above `value`.
    fn above(&self, value: i128) -> Option<i128> {
        self.numbers.get(self.numbers.partition_point(|number| *number < value)).copied()
    }

    fn below(&self, value: i128) -> Option<i128> {
        self.numbers[..self.numbers.partition_point(|number| *number <= value)].last().copied()
    }
}

fn constants(terms: &Terms, roots: &[glassbox_terms::TermId], numbers: &mut Vec<i128>) {
    for term in terms.subterms(roots) {
        if let Op::BvConst(bits) = terms.op(term) {
            for value in [Some(bits.signed()), i128::try_from(bits.unsigned()).ok()] {
                let Some(value) = value else { continue };
                numbers.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
            }
        }
    }
}

/// A state that holds `old` and `new`, and is reached in few steps. `count` says how often the node was
/// widened before.
pub fn widen(old: &Facts, new: &Facts, count: u32, thresholds: &Thresholds) -> Facts {
    let joined = old.join(new);
    let domains = old
        .domains
        .iter()
        .zip(joined.domains)
        .map(|((term, old), (_, new))| (*term, widen_domain(old, new, count, thresholds)))
        .collect();
    let bounds = old
        .bounds
        .iter()
        .zip(joined.bounds)
        .map(|((slope, old), (_, new))| {
            let bound = match (old, new) {
                (Some(old), Some(new)) if new > *old => {
                    if count < N_PATIENT {
                        thresholds.above(new)
                    } else {
                        None
                    }
                }
                (_, new) => new,
            };
            (slope.clone(), bound)
        })
        .collect();
    let elements = old
        .elements
        .iter()
        .zip(joined.elements)
        .map(|((term, old), (_, new))| (*term, widen_bits(old, new, count, thresholds)))
        .collect();
    Facts { domains, bounds, elements }
}

fn widen_domain(old: &Domain, new: Domain, count: u32, thresholds: &Thresholds) -> Domain {
    if *old == new {
        return new;
    }
    match (old, new) {
        (Domain::Bits(old), Domain::Bits(new)) => {
            Domain::Bits(widen_bits(old, new, count, thresholds))
        }
        (Domain::Float(old), Domain::Float(new)) => Domain::Float(widen_float(*old, new)),
        (Domain::Wide(_), Domain::Wide(new)) => {
            Domain::Wide(glassbox_kernel::WideBits::full(new.width()))
        }
        (_, new) => new,
    }
}

fn widen_float(old: FloatInterval, new: FloatInterval) -> FloatInterval {
    let all = FloatInterval::all_numbers(new.format());
    let (Some((old_lo, old_hi)), Some((new_lo, new_hi)), Some((lo, hi))) =
        (old.ranks(), new.ranks(), all.ranks())
    else {
        return FloatInterval::full(new.format());
    };
    let lo = if new_lo < old_lo { lo } else { new_lo };
    let hi = if new_hi > old_hi { hi } else { new_hi };
    let wide = FloatInterval::from_ranks(lo, hi, new.format()).unwrap_or(all);
    if new.may_be_nan() { wide.with_nan() } else { wide }
}

/// The interval grows to a threshold on each side that grew; bits and classes are what the join leaves.
fn widen_bits(
    old: &BitsDomain,
    new: BitsDomain,
    count: u32,
    thresholds: &Thresholds,
) -> BitsDomain {
    if *old == new {
        return new;
    }
    let width = new.width();
    if count >= 2 * N_PATIENT {
        return BitsDomain::full(width);
    }
    let arc = new.interval();
    let signed = !arc.wraps_signed();
    if arc.is_full() || (arc.wraps() && !signed) {
        return if count >= N_PATIENT { BitsDomain::full(width) } else { new };
    }
    // One reading in which the new arc does not wrap.
    let (lo, hi, old_lo, old_hi, least, greatest) = if signed {
        let half = 1_i128 << (width - 1);
        (
            i128::from(new.signed_min()),
            i128::from(new.signed_max()),
            i128::from(old.signed_min()),
            i128::from(old.signed_max()),
            -half,
            half - 1,
        )
    } else {
        (
            i128::from(new.unsigned_min()),
            i128::from(new.unsigned_max()),
            i128::from(old.unsigned_min()),
            i128::from(old.unsigned_max()),
            0,
            i128::from(new.mask()),
        )
    };
    let patient = count < N_PATIENT;
    let wide_lo = if lo < old_lo {
        let next = if patient { thresholds.below(lo) } else { None };
        next.filter(|next| *next >= least).unwrap_or(least)
    } else {
        lo
    };
    let wide_hi = if hi > old_hi {
        let next = if patient { thresholds.above(hi) } else { None };
        next.filter(|next| *next <= greatest).unwrap_or(greatest)
    } else {
        hi
    };
    let interval = BitsDomain::from_interval(Clockwise::from_integers(wide_lo, wide_hi, width));
    // Known bits and congruence have short chains of their own: keep what old and new share.
    // Higher bits follow from the interval that was just given up.
    let known = new.known();
    let n_low = known.known_low();
    let low = if n_low >= 64 { 0 } else { (1_u64 << n_low) - 1 };
    let kept = interval.meet_known(known.ones & low, known.zeros & low).unwrap_or(interval);
    let class = new.congruence();
    let kept = if class.is_any() {
        kept
    } else {
        BitsDomain::from_congruence(class.residue(), class.modulus(), width)
            .and_then(|with| kept.meet(&with))
            .unwrap_or(kept)
    };
    // Whatever went wrong above, old and new must be inside.
    kept.join(&new).join(old)
}
