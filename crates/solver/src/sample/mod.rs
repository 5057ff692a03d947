//! Uniform draws among the solutions of a conjunction, and how many there are.
//!
//! Path-oriented random testing (Gotlieb and Petit, "A uniform random test data generator for path testing", JSS 2010)
//! divides the domain of the inputs into boxes, drops those that propagation refutes, draws a point of the others and
//! rejects it where a condition does not hold. What is rejected is drawn anew, so every solution has the same chance whatever
//! the boxes are. We deviate where it costs less: variables that an equation determines are computed
//! (`determined`), variables that no condition connects are drawn apart, boxes are as large as their contents and not of
//! equal size, and small ones are counted point by point (`piece`).
//!
//! Draws are exactly uniform. The number of solutions is exact where no box is left of which only a part satisfies the conditions; else it lies
//! between two numbers, both proved.

mod determined;
mod piece;

use dashu_base::BitTest;
use dashu_int::UBig;
use glassbox_terms::{Evaluator, Model, Sort, TermId, Terms, VarId};

use piece::{Pieces, Side};

/// What to draw from.
#[derive(Debug, Clone, Copy)]
pub struct Sampling<'a> {
    pub conditions: &'a [TermId],
    /// Variables whose values make a solution; others that occur in the conditions count, too.
    pub variables: &'a [TermId],
}

/// How many solutions there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Count {
    Exact(UBig),
    Between(UBig, UBig),
}

impl Count {
    fn times(&self, other: &Count) -> Count {
        let (low, high) = self.bounds();
        let (other_low, other_high) = other.bounds();
        match (self, other) {
            (Count::Exact(a), Count::Exact(b)) => Count::Exact(a * b),
            (Count::Exact(_) | Count::Between(..), Count::Exact(_) | Count::Between(..)) => {
                Count::Between(low * other_low, high * other_high)
            }
        }
    }

    fn bounds(&self) -> (&UBig, &UBig) {
        match self {
            Count::Exact(count) => (count, count),
            Count::Between(low, high) => (low, high),
        }
    }
}

/// Why nothing can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// A variable is an array, or an integer of more than 64 bits.
    Sort,
    /// There is no solution.
    Empty,
    /// Solutions are too rare among the points that are drawn.
    Rare,
}

impl Obstacle {
    pub fn text(self) -> &'static str {
        match self {
            Obstacle::Sort => {
                "an input is an array of unknown length or an integer of more than 64 bits"
            }
            Obstacle::Empty => "no input goes this way",
            Obstacle::Rare => "its inputs are too rare among those that propagation leaves",
        }
    }
}

/// A source of 64 random bits at a time.
pub type Source<'a> = &'a mut dyn FnMut() -> u64;

/// Points that are drawn for one solution before solutions count as rare.
const MAX_REJECTED: u32 = 20_000;

/// Draws solutions.
#[derive(Debug)]
pub struct Sampler {
    /// Variables that are computed from those before them and from the free ones.
    determined: Vec<(VarId, TermId)>,
    groups: Vec<Group>,
}

/// Variables that conditions connect.
#[derive(Debug)]
struct Group {
    variables: Vec<VarId>,
    sides: Vec<Side>,
    conditions: Vec<TermId>,
    pieces: Pieces,
}

impl Sampler {
    pub fn new(terms: &mut Terms, task: &Sampling<'_>) -> Result<Sampler, Obstacle> {
        let split = determined::split(terms, task.conditions);
        let is_free =
            |variable: &VarId| !split.determined.iter().any(|(known, _)| known == variable);
        if split.conditions.iter().any(|&it| terms.as_bool_const(it) == Some(false)) {
            return Err(Obstacle::Empty);
        }
        let listed = task.variables.iter().filter_map(|&variable| terms.as_var(variable));
        let mentioned = terms.vars_of(&split.conditions);
        let mut free: Vec<VarId> = listed.chain(mentioned).filter(is_free).collect();
        free.sort_unstable();
        free.dedup();
        let sides: Option<Vec<Side>> =
            free.iter().map(|&it| Side::of(terms.var_sort(it))).collect();
        let is_scalar = |(variable, _): &(VarId, TermId)| match terms.var_sort(*variable) {
            Sort::Bool | Sort::Bv(_) | Sort::Float(_) => true,
            Sort::Array { .. } => false,
        };
        let sides = sides.filter(|_| split.determined.iter().all(is_scalar));
        let sides = sides.ok_or(Obstacle::Sort)?;
        let mut groups = Vec::new();
        for (members, conditions) in groups_of(terms, &free, &split.conditions) {
            let variables: Vec<VarId> = members.iter().map(|&it| free[it]).collect();
            let sides: Vec<Side> = members.iter().map(|&it| sides[it].clone()).collect();
            let pieces = Pieces::of(terms, &variables, &sides, &conditions);
            if pieces.is_empty() {
                return Err(Obstacle::Empty);
            }
            groups.push(Group { variables, sides, conditions, pieces });
        }
        Ok(Sampler { determined: split.determined, groups })
    }

    /// How many solutions there are.
    pub fn count(&self) -> Count {
        let one = Count::Exact(UBig::ONE);
        self.groups.iter().fold(one, |product, group| product.times(&group.pieces.count()))
    }

    /// A solution, each with the same chance.
    pub fn draw(&self, terms: &Terms, random: Source<'_>) -> Result<Model, Obstacle> {
        let mut model = Model::new();
        let mut evaluator = Evaluator::new();
        for group in &self.groups {
            group.draw(terms, &mut evaluator, random, &mut model)?;
        }
        for &(variable, value) in &self.determined {
            let value = evaluator.under(terms, &model).value(value).clone();
            model.set(variable, value);
        }
        Ok(model)
    }
}

impl Group {
    fn draw(
        &self,
        terms: &Terms,
        evaluator: &mut Evaluator,
        random: Source<'_>,
        model: &mut Model,
    ) -> Result<(), Obstacle> {
        for _ in 0..MAX_REJECTED {
            let piece = self.pieces.pick(random);
            for ((&variable, side), index) in
                self.variables.iter().zip(&self.sides).zip(piece.point(random))
            {
                model.set(variable, side.value(index));
            }
            if piece.is_certain() || evaluator.under(terms, model).all_hold(&self.conditions) {
                return Ok(());
            }
        }
        Err(Obstacle::Rare)
    }
}

/// Variables by position, in groups that share no condition, each with its conditions. A variable without a condition is a group.
fn groups_of(
    terms: &Terms,
    free: &[VarId],
    conditions: &[TermId],
) -> Vec<(Vec<usize>, Vec<TermId>)> {
    let mut group_of: Vec<usize> = (0..free.len()).collect();
    let mut mentioned = Vec::new();
    for &condition in conditions {
        let own: Vec<usize> = terms
            .vars_of(&[condition])
            .iter()
            .filter_map(|variable| free.binary_search(variable).ok())
            .collect();
        if let Some(&first) = own.first() {
            let into = group_of[first];
            let joined: Vec<usize> = own.iter().map(|&it| group_of[it]).collect();
            for group in &mut group_of {
                if joined.contains(group) {
                    *group = into;
                }
            }
        }
        mentioned.push((condition, own.first().copied()));
    }
    let mut numbers: Vec<usize> = group_of.clone();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
        .into_iter()
        .map(|number| {
            let members = (0..free.len()).filter(|&it| group_of[it] == number).collect();
            let is_own = |first: &Option<usize>| first.is_some_and(|it| group_of[it] == number);
            let own = mentioned.iter().filter(|(_, first)| is_own(first));
            (members, own.map(|(condition, _)| *condition).collect())
        })
        .collect()
}

/// A number below the bound, each with the same chance: what would favor small ones is drawn again.
fn below(bound: &UBig, random: Source<'_>) -> UBig {
    let n_bits = (bound - UBig::ONE).bit_len();
    loop {
        let mut drawn = UBig::ZERO;
        let mut missing = n_bits;
        while missing > 0 {
            let taken = missing.min(64);
            let word = random() >> (64 - taken);
            drawn = (drawn << taken) + UBig::from(word);
            missing -= taken;
        }
        if drawn < *bound {
            return drawn;
        }
    }
}

#[cfg(test)]
mod tests;
