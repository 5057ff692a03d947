//! Values that people like to read: small, distinct, letters in texts, where the path allows them.
//!
//! A model of a path's conditions is any model; this pass looks for another one nearby. Candidates are
//! judged by evaluation alone: they are taken only if every condition of the path still holds, so the path
//! and what it covers stay the same. First values that conditions connect are moved together, keeping their order and
//! equalities; then one after the other; then those that are equal, together. Deterministic, and bounded
//! by a number of evaluations.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_terms::{Evaluator, Model, Sort, TermId, Terms, Value, VarId};
use glassbox_values::{Bits, Float, Format, RoundingMode};

/// Conditions that may be evaluated for one model.
const MAX_EVALUATIONS: usize = 20_000;

/// Paths with more conditions, or inputs with more variables, are left as they are.
const MAX_CONDITIONS: usize = 500;
const MAX_VARIABLES: usize = 64;

/// What kind of thing a variable is, as people see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavor {
    Number,
    /// A character of a text.
    Letter,
    /// The length of memory: as small as can be.
    Length,
}

/// A nicer model of the conditions that `model` satisfies. `flavor` says what a variable is.
pub fn nicer(
    terms: &Terms,
    variables: &[TermId],
    conditions: &[TermId],
    flavor: impl Fn(TermId) -> Flavor,
    model: &Model,
) -> Model {
    let known: Vec<(VarId, Flavor)> = variables
        .iter()
        .filter_map(|&variable| Some((terms.as_var(variable)?, flavor(variable))))
        .collect();
    let mut pass = Pass {
        terms,
        conditions,
        mentions: BTreeMap::new(),
        evaluator: Evaluator::new(),
        n_left: MAX_EVALUATIONS,
        model: model.clone(),
    };
    if known.len() > MAX_VARIABLES || conditions.len() > MAX_CONDITIONS {
        return pass.model;
    }
    for (position, &condition) in conditions.iter().enumerate() {
        for var in terms.vars_of(&[condition]) {
            pass.mentions.entry(var).or_default().push(position);
        }
    }
    // Lengths first: they say how much there is to look at.
    let is_length = |known: &&(VarId, Flavor)| known.1 == Flavor::Length;
    for &(var, _) in known.iter().filter(is_length) {
        pass.shorten(var);
    }
    let others: Vec<(VarId, Flavor)> =
        known.iter().filter(|known| !is_length(known)).copied().collect();
    for group in pass.groups(&others) {
        pass.compress(&group);
    }
    let mut used: BTreeSet<(Sort, u128)> = BTreeSet::new();
    for &(var, flavor) in &others {
        pass.improve(&others, var, flavor, &used);
        used.insert(pass.key(var));
    }
    pass.model
}

/// Variables that belong together.
type Group = Vec<(VarId, Flavor)>;

struct Pass<'a> {
    terms: &'a Terms,
    conditions: &'a [TermId],
    // The positions of the conditions that mention a variable.
    mentions: BTreeMap<VarId, Vec<usize>>,
    evaluator: Evaluator,
    n_left: usize,
    // Always satisfies the conditions.
    model: Model,
}

impl Pass<'_> {
    fn sort(&self, var: VarId) -> Sort {
        self.terms.sort(self.terms.var_term(var))
    }

    /// The value as a number to compare and to remember.
    fn key(&self, var: VarId) -> (Sort, u128) {
        (self.sort(var), raw(&self.model.value(self.terms, var)))
    }

    /// Takes the changes if the conditions that they touch still hold.
    fn take(&mut self, changes: &[(VarId, Value)]) -> bool {
        let mut touched: Vec<usize> = changes
            .iter()
            .flat_map(|(var, _)| self.mentions.get(var).map_or(&[][..], Vec::as_slice))
            .copied()
            .collect();
        touched.sort_unstable();
        touched.dedup();
        if touched.len() > self.n_left {
            self.n_left = 0;
            return false;
        }
        self.n_left -= touched.len();
        let mut changed = self.model.clone();
        for (var, value) in changes {
            changed.set(*var, value.clone());
        }
        let mut evaluation = self.evaluator.under(self.terms, &changed);
        if !touched.into_iter().all(|position| evaluation.truth(self.conditions[position])) {
            return false;
        }
        self.model = changed;
        true
    }

    fn shorten(&mut self, var: VarId) {
        let Value::Bv(length) = self.model.value(self.terms, var) else { return };
        for shorter in 1..length.unsigned().min(65) {
            if self.take(&[(var, Value::Bv(Bits::new(shorter, length.width())))]) {
                return;
            }
        }
    }

    /// Variables that conditions connect, directly or through others.
    fn groups(&self, vars: &[(VarId, Flavor)]) -> Vec<Group> {
        let mut groups: Vec<(BTreeSet<usize>, Group)> = Vec::new();
        for &(var, flavor) in vars {
            let mentioned = self.mentions.get(&var).map_or(&[][..], Vec::as_slice);
            let mut conditions: BTreeSet<usize> = mentioned.iter().copied().collect();
            let mut members = vec![(var, flavor)];
            let (near, far): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|(other, _)| !other.is_disjoint(&conditions));
            groups = far;
            for (other, others) in near {
                conditions.extend(other);
                members.extend(others);
            }
            groups.push((conditions, members));
        }
        groups.into_iter().map(|(_, members)| members).collect()
    }

    /// Gives all numbers the smallest values that keep their order and which of them are equal.
    fn compress(&mut self, vars: &[(VarId, Flavor)]) {
        let signed = |pass: &Self, var: VarId| match pass.model.value(pass.terms, var) {
            Value::Bv(bits) => Some((bits.signed(), bits.width())),
            Value::Bool(_) | Value::Float(_) | Value::Array(_) => None,
        };
        let numbers: Vec<(VarId, i128, u8)> = vars
            .iter()
            .filter(|(_, flavor)| *flavor == Flavor::Number)
            .filter_map(|&(var, _)| signed(self, var).map(|(value, width)| (var, value, width)))
            .collect();
        let distinct: BTreeSet<i128> = numbers.iter().map(|&(_, value, _)| value).collect();
        // Starting at 1, or keeping zero and signs.
        for keeps_sign in [false, true] {
            let rank = |value: i128| -> i128 {
                let below = |from: i128| distinct.range(from..value).count() as i128;
                match (keeps_sign, value.signum()) {
                    (false, _) => below(i128::MIN) + 1,
                    (true, 0) => 0,
                    (true, 1) => below(1) + 1,
                    (true, _) => -(distinct.range(value..0).count() as i128),
                }
            };
            let changes: Vec<(VarId, Value)> = numbers
                .iter()
                .map(|&(var, value, width)| (var, Value::Bv(Bits::from_signed(rank(value), width))))
                .collect();
            if self.take(&changes) {
                return;
            }
        }
    }

    /// Tries candidates for one variable, and for all that have its value, best first.
    fn improve(
        &mut self,
        all: &[(VarId, Flavor)],
        var: VarId,
        flavor: Flavor,
        used: &BTreeSet<(Sort, u128)>,
    ) {
        let now = self.model.value(self.terms, var);
        let sort = self.sort(var);
        let mut candidates = candidates(sort, flavor, &now);
        // What no other input has comes first; order is kept otherwise.
        candidates.sort_by_key(|value| used.contains(&(sort, raw(value))));
        let equals: Vec<VarId> = all
            .iter()
            .map(|(other, _)| *other)
            .filter(|&other| other != var && self.key(other) == self.key(var))
            .collect();
        for candidate in candidates {
            let is_now = candidate == now;
            if is_now && !used.contains(&(sort, raw(&now))) {
                return;
            }
            if !is_now && self.take(&[(var, candidate)]) {
                return;
            }
        }
        if !equals.is_empty() {
            for candidate in self::candidates(sort, flavor, &now) {
                let together: Vec<(VarId, Value)> =
                    equals.iter().chain([&var]).map(|&var| (var, candidate.clone())).collect();
                if candidate == now || self.take(&together) {
                    return;
                }
            }
        }
        if let (Value::Bv(bits), Flavor::Number) = (&now, flavor) {
            self.approach_zero(var, bits.signed(), bits.width());
        }
    }

    /// The number nearest to zero, by halving: exact where the conditions are about its size only.
    fn approach_zero(&mut self, var: VarId, from: i128, width: u8) {
        // Zero itself does not satisfy the conditions, or is no candidate.
        let (mut refused, mut taken) = (0i128, from);
        while (taken - refused).abs() > 1 {
            let middle = refused + (taken - refused) / 2;
            if self.take(&[(var, Value::Bv(Bits::from_signed(middle, width)))]) {
                taken = middle;
            } else {
                refused = middle;
            }
            if self.n_left == 0 {
                return;
            }
        }
    }
}

fn raw(value: &Value) -> u128 {
    match value {
        Value::Bool(truth) => u128::from(*truth),
        Value::Bv(bits) => bits.unsigned(),
        Value::Float(float) => float.to_bits().into(),
        Value::Array(_) => 0,
    }
}

/// What people would write, best first.
fn candidates(sort: Sort, flavor: Flavor, now: &Value) -> Vec<Value> {
    const NUMBERS: [i128; 20] =
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 10, 12, 15, 20, 50, 100, -1, -2, -3, 1000];
    const FLOATS: [f64; 14] =
        [1.0, 2.0, 3.0, 4.0, 5.0, 0.5, 1.5, 10.0, 100.0, 0.0, -1.0, -2.0, -0.5, -10.0];
    match (sort, flavor) {
        (Sort::Bv(8), Flavor::Letter) => {
            // The end of a text stays where it is.
            if raw(now) == 0 {
                return vec![now.clone()];
            }
            let letters = "abcdefghijkxyzABC0123456789 -+.,_/:;#";
            let value = |byte: u8| Value::Bv(Bits::new(byte.into(), 8));
            let mut all: Vec<Value> = letters.bytes().map(value).collect();
            all.extend((33..127).map(value));
            all
        }
        (Sort::Bv(width), _) => {
            let fits = |number: &i128| {
                Bits::from_signed(*number, width).signed() == *number || *number > 0 && width > 7
            };
            NUMBERS
                .iter()
                .filter(|number| fits(number))
                .map(|&number| Value::Bv(Bits::from_signed(number, width)))
                .collect()
        }
        (Sort::Float(format), _) => FLOATS.iter().map(|&number| float(number, format)).collect(),
        (Sort::Bool | Sort::Array { .. }, _) => Vec::new(),
    }
}

fn float(number: f64, format: Format) -> Value {
    Value::Float(Float::from_f64(number).convert(format, RoundingMode::NearestEven))
}

#[cfg(test)]
mod tests {
    use glassbox_terms::{Model, Sort, TermId, Terms, Value, eval};
    use glassbox_values::Bits;

    use super::{Flavor, nicer};

    fn numbers(
        terms: &Terms,
        variables: &[TermId],
        conditions: &[TermId],
        flavor: Flavor,
        values: &[i128],
    ) -> Vec<i128> {
        let mut model = Model::new();
        for (&variable, &value) in variables.iter().zip(values) {
            let Sort::Bv(width) = terms.sort(variable) else { panic!("bits") };
            let var = terms.as_var(variable).expect("a variable");
            model.set(var, Value::Bv(Bits::from_signed(value, width)));
        }
        let holds =
            |model: &Model| conditions.iter().all(|&c| eval(terms, model, c) == Value::Bool(true));
        assert!(holds(&model), "the start is a model");
        let better = nicer(terms, variables, conditions, |_| flavor, &model);
        assert!(holds(&better), "the end is a model");
        let value = |&variable: &TermId| {
            let Value::Bv(bits) = eval(terms, &better, variable) else { panic!("no number") };
            bits.signed()
        };
        variables.iter().map(value).collect()
    }

    fn three(terms: &mut Terms) -> [TermId; 3] {
        ["x", "y", "z"].map(|name| terms.fresh_var(name, Sort::Bv(32)))
    }

    #[test]
    fn free_inputs_are_one_two_three() {
        let mut terms = Terms::new();
        let vars = three(&mut terms);
        assert_eq!(numbers(&terms, &vars, &[], Flavor::Number, &[0, 0, 0]), [1, 2, 3]);
    }

    #[test]
    fn equal_inputs_stay_equal_and_become_small() {
        let mut terms = Terms::new();
        let vars = three(&mut terms);
        let same = [terms.eq(vars[0], vars[1]), terms.eq(vars[1], vars[2])];
        let far = [-77_777, -77_777, -77_777];
        assert_eq!(numbers(&terms, &vars, &same, Flavor::Number, &far), [1, 1, 1]);
    }

    #[test]
    fn limits_are_met_closely() {
        let mut terms = Terms::new();
        let vars = three(&mut terms);
        let limit = terms.bv_s(12_345, 32);
        let above = terms.bv_slt(limit, vars[0]);
        let less = terms.bv_slt(vars[1], vars[2]);
        let values = [2_000_000_000, -5, -4];
        let found = numbers(&terms, &vars, &[above, less], Flavor::Number, &values);
        assert_eq!(found[0], 12_346);
        assert!(found[1] < found[2] && found[1] > 0, "{found:?}");
    }

    #[test]
    fn texts_have_letters_and_keep_their_end() {
        let mut terms = Terms::new();
        let text = ["s[0]", "s[1]", "s[2]"].map(|name| terms.fresh_var(name, Sort::Bv(8)));
        let zero = terms.bv_u(0, 8);
        let ended = terms.eq(text[2], zero);
        let more = [terms.eq(text[0], zero), terms.eq(text[1], zero)].map(|end| terms.not(end));
        let conditions = [ended, more[0], more[1]];
        let found = numbers(&terms, &text, &conditions, Flavor::Letter, &[-1, -1, 0]);
        assert_eq!(found, [i128::from(b'a'), i128::from(b'b'), 0]);
    }
}
