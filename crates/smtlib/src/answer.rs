//! Answers in SMT-LIB syntax: models, values, errors.

use std::fmt::Write;

use glassbox_terms::print::{quote_symbol, sort_to_smtlib, value_to_smtlib};
use glassbox_terms::{Evaluator, Model, Terms, Value};

use crate::command::{Constant, Kind, Query};
use crate::error::Error;
use crate::rounding;

/// The value as a term of the script.
pub fn value(kind: Kind, value: &Value) -> String {
    match (kind, value.as_bits()) {
        (Kind::Rounding, Some(bits)) => rounding::name(rounding::decode(bits)).to_owned(),
        (Kind::Integer, Some(bits)) => {
            let number = bits.signed();
            if number < 0 { format!("(- {})", number.unsigned_abs()) } else { number.to_string() }
        }
        (Kind::Plain | Kind::Rounding | Kind::Integer, _) => value_to_smtlib(value),
    }
}

/// The answer to `get-model`: a definition for every constant.
pub fn model(terms: &Terms, constants: &[Constant], model: &Model) -> String {
    let mut text = String::from("(\n");
    let mut evaluator = Evaluator::new();
    let mut evaluation = evaluator.under(terms, model);
    for constant in constants {
        let sort = match constant.kind {
            Kind::Plain => sort_to_smtlib(terms.sort(constant.term)),
            Kind::Rounding => "RoundingMode".to_owned(),
            Kind::Integer => "Int".to_owned(),
        };
        let _ = writeln!(
            text,
            "  (define-fun {} () {sort} {})",
            quote_symbol(&constant.name),
            value(constant.kind, evaluation.value(constant.term))
        );
    }
    text.push(')');
    text
}

/// The answer to `get-value`: pairs of the terms as written and their values.
pub fn values(terms: &Terms, queries: &[Query], model: &Model) -> String {
    let mut evaluator = Evaluator::new();
    let mut evaluation = evaluator.under(terms, model);
    let pairs: Vec<String> = queries
        .iter()
        .map(|query| {
            format!("({} {})", query.text, value(query.kind, evaluation.value(query.term)))
        })
        .collect();
    format!("({})", pairs.join("\n "))
}

/// The answer to `get-unsat-core` and the like: a list of names.
pub fn symbols<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(quote_symbol).collect();
    format!("({})", names.join(" "))
}

/// The answer to a command that cannot be executed.
pub fn error(error: &Error) -> String {
    format!("(error {})", string(&error.to_string()))
}

/// A string literal.
pub fn string(content: &str) -> String {
    format!("\"{}\"", content.replace('"', "\"\""))
}
