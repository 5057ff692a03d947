//! A whole problem as an SMT-LIB script.

use std::collections::BTreeSet;
use std::fmt::Write;

use glassbox_values::Float;
use rustc_hash::FxHashMap;

use super::lower::lower;
use super::smtlib::{print_into, shared_subterms};
use super::symbol::{bits_to_smtlib, quote_symbol, sort_to_smtlib};
use crate::intern::{TermId, Terms, VarId};
use crate::op::{ArrayOp, FpOp, Op};
use crate::sort::{Scalar, Sort};

// A term nested deeper than this is cut by definitions: other readers may recurse.
const MAX_NESTING: u32 = 100;

/// Which SMT-LIB the reader knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// With the overflow predicates of SMT-LIB 2.7 (`bvsaddo` and so on).
    Standard,
    /// SMT-LIB 2.6 only, as z3 4.8 reads it.
    Plain,
}

/// An exported problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// `set-logic`, declarations, definitions and assertions, one per line, without `check-sat`.
    pub text: String,
    /// The variables that occur, and the symbols (quoted where needed) that stand for them.
    pub vars: Vec<(VarId, String)>,
}

/// The script that asserts all of `assertions`. It is satisfiable exactly when they are, and the
/// variables have the same values in its models. Shared and deep subterms become definitions.
pub fn export(terms: &mut Terms, assertions: &[TermId], dialect: Dialect) -> Export {
    let roots = lower(terms, assertions, dialect);
    let mut names = Names::default();
    let vars: Vec<(VarId, String)> = terms
        .vars_of(&roots)
        .into_iter()
        .map(|var| (var, names.unique(terms.var_name(var))))
        .collect();
    let mut text = format!("(set-logic {})\n", logic(terms, &roots, dialect));
    for (var, name) in &vars {
        let sort = sort_to_smtlib(terms.var_sort(*var));
        let _ = writeln!(text, "(declare-fun {name} () {sort})");
    }
    let spelled: FxHashMap<VarId, &str> =
        vars.iter().map(|(var, name)| (*var, name.as_str())).collect();
    let var_name = |var: VarId| spelled[&var].to_owned();
    let mut defined: FxHashMap<TermId, String> = FxHashMap::default();
    for term in definitions(terms, &roots) {
        let name = names.unique(&format!("t{}", term.index()));
        if terms.op(term) == Op::Fp(FpOp::ToBits) {
            define_encoding(&mut text, terms, term, &name, &defined, &var_name);
        } else {
            let _ = write!(text, "(define-fun {name} () {} ", sort_to_smtlib(terms.sort(term)));
            print_into(&mut text, terms, term, &defined, &var_name);
            text.push_str(")\n");
        }
        defined.insert(term, name);
    }
    for &root in &roots {
        text.push_str("(assert ");
        match defined.get(&root) {
            Some(name) => text.push_str(name),
            None => print_into(&mut text, terms, root, &defined, &var_name),
        }
        text.push_str(")\n");
    }
    Export { text, vars }
}

/// What gets a definition, arguments before users: shared terms, float encodings, and a cut
/// through every deep nesting.
fn definitions(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut chosen: BTreeSet<TermId> = shared_subterms(terms, roots).into_iter().collect();
    let mut depth_of: FxHashMap<TermId, u32> = FxHashMap::default();
    for term in terms.subterms(roots) {
        let below = terms.args(term).iter().map(|arg| depth_of[arg]).max();
        let mut depth = below.map_or(0, |below| below + 1);
        if depth >= MAX_NESTING || terms.op(term) == Op::Fp(FpOp::ToBits) {
            chosen.insert(term);
        }
        if chosen.contains(&term) {
            depth = 0;
        }
        depth_of.insert(term, depth);
    }
    chosen.into_iter().collect()
}

// The encoding of a float has no standard operator: it is a constant whose float is the argument,
// and the canonical encoding for NaN.
fn define_encoding(
    text: &mut String,
    terms: &Terms,
    term: TermId,
    name: &str,
    defined: &FxHashMap<TermId, String>,
    var_name: &dyn Fn(VarId) -> String,
) {
    let arg = terms.arg(term, 0);
    let format = terms.format(arg);
    let mut float = String::new();
    match defined.get(&arg) {
        Some(name) => float.push_str(name),
        None => print_into(&mut float, terms, arg, defined, var_name),
    }
    let nan = bits_to_smtlib(Float::nan(format).to_encoding());
    let _ = writeln!(text, "(declare-fun {name} () {})", sort_to_smtlib(terms.sort(term)));
    let _ = writeln!(
        text,
        "(assert (= ((_ to_fp {} {}) {name}) {float}))",
        format.exponent, format.significand
    );
    let _ = writeln!(text, "(assert (=> (fp.isNaN {float}) (= {name} {nan})))");
}

/// The smallest logic that holds all sorts; constant arrays are in none of the named ones, and z3
/// 4.8 does not know `QF_ABVFP`.
fn logic(terms: &Terms, roots: &[TermId], dialect: Dialect) -> &'static str {
    let (mut bits, mut floats, mut arrays) = (false, false, false);
    for term in terms.subterms(roots) {
        if let Op::Array(ArrayOp::Const { .. }) = terms.op(term) {
            return "ALL";
        }
        match terms.sort(term) {
            Sort::Bool => {}
            Sort::Bv(_) => bits = true,
            Sort::Float(_) => floats = true,
            Sort::Array { element, .. } => {
                arrays = true;
                floats |= matches!(element, Scalar::Float(_));
            }
        }
    }
    match (arrays, floats, bits) {
        (true, true, _) if dialect == Dialect::Plain => "ALL",
        (true, true, _) => "QF_ABVFP",
        (true, false, _) => "QF_ABV",
        (false, true, true) => "QF_BVFP",
        (false, true, false) => "QF_FP",
        (false, false, _) => "QF_BV",
    }
}

/// Symbols given out so far.
#[derive(Debug, Default)]
struct Names {
    used: BTreeSet<String>,
}

impl Names {
    fn unique(&mut self, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "v" } else { wanted };
        let mut symbol = quote_symbol(wanted);
        let mut number = 1_u32;
        while is_taken_by_theory(&symbol) || !self.used.insert(symbol.clone()) {
            symbol = quote_symbol(&format!("{wanted}!{number}"));
            number += 1;
        }
        symbol
    }
}

// A variable may have any name, also one that SMT-LIB has given a meaning.
fn is_taken_by_theory(symbol: &str) -> bool {
    let prefixes = ["bv", "fp", "to_fp", "RN", "RT", "round", "Float", "(", ".", "@"];
    let names = [
        "and",
        "or",
        "xor",
        "not",
        "ite",
        "distinct",
        "select",
        "store",
        "concat",
        "extract",
        "repeat",
        "zero_extend",
        "sign_extend",
        "rotate_left",
        "rotate_right",
        "const",
        "Bool",
        "Array",
        "BitVec",
        "Int",
        "Real",
        "abs",
        "div",
        "mod",
        "NaN",
        "=",
        "=>",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "*",
        "/",
        "+oo",
        "-oo",
        "+zero",
        "-zero",
    ];
    names.contains(&symbol) || prefixes.iter().any(|prefix| symbol.starts_with(prefix))
}
