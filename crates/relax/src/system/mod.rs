//! The relaxed system: integer columns with ranges, linear rows, definitions, and the simplex they feed.
//!
//! Columns hold integers and always have finite ranges. A linear row holds for every solution of the
//! caller's problem under its fact. A definition makes rows from the current ranges and makes them again
//! when the ranges shrink ("dynamic linear relaxation", docs/papers/relaxation.md, rule 1.3.7). Interval propagation over rows
//! and definitions runs first (`propagate.rs`); the simplex sees only rows that the ranges do not already
//! imply (`lp.rs`). Everything carries its fact, so a conflict is a list of facts.

mod lp;
mod propagate;

pub(crate) use lp::LpOutcome;

use crate::definition::Definition;
use crate::envelope::Relation;
use crate::fact::{FactId, Facts};
use crate::linear::{LinearExpr, Var};
use crate::range::{Range, Ranges};
use crate::rational::{Rational, gcd};
use crate::simplex::{Side, Simplex};

/// The facts that together are impossible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict(pub(crate) Vec<FactId>);

/// How urgent it is to decide a column when branching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// 0/1 flags of guards and comparisons.
    Flag,
    /// Overflow quotients.
    Quotient,
    /// Values of terms.
    Value,
}

#[derive(Debug, Clone)]
pub(super) struct ColumnState {
    pub(super) range: Range,
    pub(super) lower_fact: FactId,
    pub(super) upper_fact: FactId,
    pub(super) changed_at: u64,
    pub(super) kind: Kind,
}

/// `expr <= 0` or `expr = 0` with its fact.
#[derive(Debug, Clone)]
pub(super) struct LinearRow {
    pub(super) expr: LinearExpr,
    pub(super) relation: Relation,
    pub(super) fact: FactId,
    /// The same row over machine integers, when it fits; propagation uses it.
    pub(super) integers: Option<(Vec<(Var, i128)>, i128)>,
    pub(super) seen_at: u64,
    /// The simplex slack, once the row is there.
    pub(super) slack: Option<Var>,
}

#[derive(Debug, Clone)]
pub(super) struct DefinitionState {
    pub(super) definition: Definition,
    pub(super) premise: FactId,
    pub(super) inputs: Vec<Var>,
    pub(super) made_from: Vec<Range>,
    pub(super) rows: Vec<LinearRow>,
    pub(super) seen_at: u64,
}

/// See the module's comment.
#[derive(Debug, Clone, Default)]
pub(crate) struct System {
    pub(super) simplex: Simplex,
    pub(crate) facts: Facts,
    // Indexed by column; `None` for slacks of the simplex.
    pub(super) columns: Vec<Option<ColumnState>>,
    pub(super) rows: Vec<LinearRow>,
    pub(super) definitions: Vec<DefinitionState>,
    pub(super) clock: u64,
    pub(super) synced_at: u64,
    /// A conflict found while building.
    pub(crate) broken: Option<Conflict>,
}

impl Ranges for System {
    fn range(&self, var: Var) -> Range {
        self.column(var).range
    }
}

impl System {
    pub(super) fn column(&self, var: Var) -> &ColumnState {
        self.columns[var.index()].as_ref().expect("a slack should have no range")
    }

    /// A new integer column. An empty range is a conflict of its two facts.
    pub(crate) fn new_column(
        &mut self,
        kind: Kind,
        range: Range,
        lower_fact: FactId,
        upper_fact: FactId,
    ) -> Var {
        let var = self.simplex.new_var();
        self.clock += 1;
        self.columns.resize(var.index(), None);
        let changed_at = self.clock;
        self.columns.push(Some(ColumnState { range, lower_fact, upper_fact, changed_at, kind }));
        if range.is_empty() && self.broken.is_none() {
            self.broken = Some(Conflict(vec![lower_fact, upper_fact]));
        }
        var
    }

    /// A column with a range that holds without premises.
    pub(crate) fn free_column(&mut self, kind: Kind, range: Range) -> Var {
        self.new_column(kind, range, Facts::AXIOM, Facts::AXIOM)
    }

    /// The fact behind a bound in force.
    pub(crate) fn bound_fact(&self, var: Var, side: Side) -> FactId {
        let column = self.column(var);
        match side {
            Side::Lower => column.lower_fact,
            Side::Upper => column.upper_fact,
        }
    }

    pub(crate) fn kind(&self, var: Var) -> Kind {
        self.column(var).kind
    }

    /// The structural columns, oldest first.
    pub(crate) fn vars(&self) -> impl Iterator<Item = Var> {
        self.columns.iter().enumerate().filter(|(_, c)| c.is_some()).map(|(i, _)| Var::new(i))
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    pub(crate) fn lp_value(&self, var: Var) -> &Rational {
        self.simplex.value(var)
    }

    pub(crate) fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.definitions.iter().map(|state| &state.definition)
    }

    /// The rows that do not depend on ranges, with their facts.
    pub(crate) fn static_rows(&self) -> impl Iterator<Item = (&LinearExpr, Relation, FactId)> {
        self.rows.iter().map(|row| (&row.expr, row.relation, row.fact))
    }

    pub(crate) fn definition_facts(&self) -> impl Iterator<Item = (&Definition, FactId)> {
        self.definitions.iter().map(|state| (&state.definition, state.premise))
    }

    /// Adds a row that holds under `fact`.
    pub(crate) fn add_row(&mut self, expr: LinearExpr, relation: Relation, fact: FactId) {
        match make_row(expr, relation, fact) {
            MadeRow::Trivial => {}
            MadeRow::Impossible => {
                if self.broken.is_none() {
                    self.broken = Some(Conflict(vec![fact]));
                }
            }
            MadeRow::Row(row) => self.rows.push(row),
        }
    }

    /// `low <= expr <= high`, each side under its own fact.
    pub(crate) fn add_range_rows(&mut self, expr: &LinearExpr, range: Range, facts: [FactId; 2]) {
        let above = LinearExpr::int(range.lo).minus(expr);
        self.add_row(above, Relation::AtMostZero, facts[0]);
        self.add_row(expr.plus_int(-range.hi), Relation::AtMostZero, facts[1]);
    }

    /// Adds a definition that holds under `premise`.
    pub(crate) fn define(&mut self, definition: Definition, premise: FactId) {
        let inputs = definition.inputs();
        self.definitions.push(DefinitionState {
            definition,
            premise,
            inputs,
            made_from: Vec::new(),
            rows: Vec::new(),
            seen_at: 0,
        });
    }

    /// Sharpens one end of a range. `Ok(true)` when it changed.
    pub(crate) fn tighten(
        &mut self,
        var: Var,
        side: Side,
        value: i128,
        fact: FactId,
    ) -> Result<bool, Conflict> {
        let clock = self.clock + 1;
        let column = self.columns[var.index()].as_mut().expect("a slack should have no range");
        match side {
            Side::Lower if value > column.range.lo => {
                column.range.lo = value;
                column.lower_fact = fact;
            }
            Side::Upper if value < column.range.hi => {
                column.range.hi = value;
                column.upper_fact = fact;
            }
            Side::Lower | Side::Upper => return Ok(false),
        }
        column.changed_at = clock;
        self.clock = clock;
        if column.range.is_empty() {
            return Err(Conflict(vec![column.lower_fact, column.upper_fact]));
        }
        Ok(true)
    }

    /// The facts of the given bounds and one more, as one fact.
    pub(crate) fn derive(
        &mut self,
        uses: impl IntoIterator<Item = (Var, Side)>,
        more: FactId,
    ) -> FactId {
        let mut premises: Vec<FactId> =
            uses.into_iter().map(|(var, side)| self.bound_fact(var, side)).collect();
        premises.push(more);
        self.facts.derived(premises)
    }
}

pub(super) enum MadeRow {
    Trivial,
    Impossible,
    Row(LinearRow),
}

/// Scales a row to coprime integers and rounds its constant: all columns are integers.
pub(super) fn make_row(expr: LinearExpr, relation: Relation, fact: FactId) -> MadeRow {
    if expr.is_constant() {
        let holds = match relation {
            Relation::AtMostZero => !expr.constant_part().is_positive(),
            Relation::IsZero => expr.constant_part().is_zero(),
        };
        return if holds { MadeRow::Trivial } else { MadeRow::Impossible };
    }
    let Some((terms, constant)) = integer_form(&expr) else {
        // Too wide for machine integers: the simplex takes it as it is.
        return MadeRow::Row(LinearRow {
            expr,
            relation,
            fact,
            integers: None,
            seen_at: 0,
            slack: None,
        });
    };
    let divisor = terms.iter().fold(0, |g, (_, c)| gcd(g, c.unsigned_abs()));
    let divisor = i128::try_from(divisor).expect("a divisor of machine integers should fit");
    let constant = match relation {
        Relation::IsZero if constant.rem_euclid(divisor) != 0 => return MadeRow::Impossible,
        Relation::IsZero => constant / divisor,
        // a*x + c <= 0 with integer x: a/g*x + ceil(c/g) <= 0.
        Relation::AtMostZero => -((-constant).div_euclid(divisor)),
    };
    let terms: Vec<(Var, i128)> = terms.into_iter().map(|(var, c)| (var, c / divisor)).collect();
    let expr = LinearExpr::from_terms(&terms, constant);
    let integers = Some((terms, constant));
    MadeRow::Row(LinearRow { expr, relation, fact, integers, seen_at: 0, slack: None })
}

/// The terms times the least common denominator, when they stay below the limit of ranges.
fn integer_form(expr: &LinearExpr) -> Option<(Vec<(Var, i128)>, i128)> {
    let mut scale: i128 = 1;
    let mut numbers: Vec<&Rational> = expr.terms().iter().map(|(_, c)| c).collect();
    numbers.push(expr.constant_part());
    for number in &numbers {
        let (_, denominator) = number.small_parts()?;
        let common = gcd(scale.unsigned_abs(), denominator.unsigned_abs());
        scale = scale.checked_mul(denominator / i128::try_from(common).ok()?)?;
    }
    let factor = Rational::int(scale);
    let fits = |number: &Rational| {
        let scaled = (number * &factor).to_i128()?;
        (scaled.abs() < crate::range::LIMIT).then_some(scaled)
    };
    let terms = expr
        .terms()
        .iter()
        .map(|(var, c)| Some((*var, fits(c)?)))
        .collect::<Option<Vec<(Var, i128)>>>()?;
    Some((terms, fits(expr.constant_part())?))
}
