//! What another solver answers to `get-value`, as a model: the way back of `glassbox_terms::export`.

use glassbox_terms::{Model, Terms, VarId, eval};
use rustc_hash::FxHashMap;

use crate::apply::Workshop;
use crate::error::{Error, Fault, Outcome};
use crate::scope::Scope;
use crate::sexp::{Reader, Sexp};
use crate::sort::SortReader;
use crate::term::{Expansion, Source, TermReader, shorten};

/// Reads `((x #x05) (y true))`, the answer to `(get-value (x y))`. `vars` are the variables and the
/// symbols (quoted where needed) that stand for them, as `Export::vars` has them; names not among
/// them are an error, and so is a value of another sort.
pub fn read_values(
    terms: &mut Terms,
    vars: &[(VarId, String)],
    text: &str,
) -> Result<Model, Error> {
    read(terms, vars, text).map_err(|fault| fault.locate(text))
}

fn read(terms: &mut Terms, vars: &[(VarId, String)], text: &str) -> Outcome<Model> {
    let mut sexp = Sexp::default();
    if !Reader::new(text).read(&mut sexp)? {
        return Err(Fault::syntax("an answer to `get-value` should be here"));
    }
    let by_name: FxHashMap<&str, VarId> =
        vars.iter().map(|(var, symbol)| (unquoted(symbol), *var)).collect();
    let definitions = FxHashMap::default();
    let sorts = SortReader { text, definitions: &definitions };
    let scope = Scope::default();
    let mut expansion = Expansion::default();
    let mut workshop = Workshop::default();
    let mut model = Model::new();
    for pair in sexp.children(0) {
        let here = |fault: Fault| fault.at(sexp.offset(pair));
        let Some([name, value]) = sexp.members(pair) else {
            return Err(here(Fault::syntax("a pair of a name and a value should be here")));
        };
        let name = sexp.symbol(text, name);
        let Some(&var) = name.and_then(|name| by_name.get(name)) else {
            let shown = shorten(name.unwrap_or("this"));
            return Err(here(Fault::sort(format!("`{shown}` was not asked for"))));
        };
        let source = Source { text, sexp: &sexp };
        let mut reader =
            TermReader::new(source, sorts, &scope, &mut expansion, terms, &mut workshop);
        let value = reader.read(value)?;
        let term = workshop.term(terms, value).map_err(here)?;
        if terms.sort(term) != terms.var_sort(var) {
            return Err(here(Fault::sort("the value is of another sort than the variable")));
        }
        model.set(var, eval(terms, &Model::new(), term));
    }
    Ok(model)
}

fn unquoted(symbol: &str) -> &str {
    symbol.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glassbox_terms::print::value_to_smtlib;
    use glassbox_terms::{Scalar, Sort, Value};
    use glassbox_values::Format;

    #[test]
    fn values_of_every_sort_are_read_back() {
        let mut terms = Terms::new();
        let sorts = [
            Sort::Bool,
            Sort::Bv(7),
            Sort::Float(Format::F32),
            Sort::Array { index: 4, element: Scalar::Bv(8) },
        ];
        let vars: Vec<(VarId, String)> = sorts
            .iter()
            .map(|&sort| {
                let term = terms.fresh_var("a b", sort);
                let var = terms.as_var(term).expect("a variable");
                (var, format!("|a b{}|", var.index()))
            })
            .collect();
        let answer =
            "((|a b0| true)\n(|a b1| #b0000101) (|a b2| (fp #b1 #x7f #b00000000000000000000000))
            (|a b3| (store ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x01) #x2 #x03)))";
        let model = read_values(&mut terms, &vars, answer).expect("well formed");
        let shown: Vec<String> = model.iter().map(|(_, value)| value_to_smtlib(value)).collect();
        assert_eq!(shown[0], "true");
        assert_eq!(shown[2], "(fp #b1 #b01111111 #b00000000000000000000000)");
        assert!(matches!(model.get(vars[3].0), Some(Value::Array(_))));
        for bad in ["", "((x true))", "((|a b0| #b1))", "((|a b0|))", "(error \"no\")", "(("] {
            assert!(read_values(&mut terms, &vars, bad).is_err(), "{bad}");
        }
    }
}
