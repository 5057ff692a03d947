//! The catalogue of the C library: one row for every function that any room has to know by name.
//!
//! A row gives a function's names, its types, how it is modeled and what it does to the program that
//! calls it (`row`). Front-ends, the interpreter, the symbolic engines and emitters ask here;
//! none of them keeps names of its own. A function that has no row is unknown: it may do whatever its
//! arguments and the memory that has escaped allow.
//!
//! To add a function: its row in the file of its header, and its body, as a piece of C in `c-front` or as a
//! native one in `libc`. Tests there compare bodies with rows in both directions.
//!
//! `environment` has the facts about the surroundings that models and replay must agree on.

mod ctype;
pub mod environment;
mod glassbox;
mod java;
mod jumps;
mod math;
mod row;
mod search;
mod signal;
mod signature;
mod stdio;
mod stdlib;
mod string;
mod threads;
mod time;
mod unistd;
mod verifier;
mod wchar;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use glassbox_ir::Origin;

pub use row::{Body, Control, Determinism, Operator, Reads, Row, TextResult};
pub use signature::{Class, Signature, class_of};
pub use verifier::UNSET_PREFIX;

/// The object behind `errno`, which the model of `__errno_location` has.
pub const ERRNO_OBJECT: &str = "__glassbox_errno";

/// A name as C writes it: the library's own objects and parts of its models have others in programs.
pub fn shown_name(name: &str) -> &str {
    name.strip_prefix("__glassbox_").unwrap_or(name)
}

/// The rows, header by header.
const HEADERS: &[&[Row]] = &[
    ctype::ROWS,
    glassbox::ROWS,
    java::ROWS,
    jumps::ROWS,
    math::ROWS,
    search::ROWS,
    signal::ROWS,
    stdio::ROWS,
    stdlib::ROWS,
    string::ROWS,
    threads::ROWS,
    time::ROWS,
    unistd::ROWS,
    verifier::ROWS,
    wchar::ROWS,
];

/// For which floating type a function is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// The row's own types, whatever they are.
    Plain,
    Float,
    LongDouble,
}

/// A function as programs name it: a row, one of its twins, or an alias.
#[derive(Debug, Clone)]
pub struct Function {
    /// The row's own name, with the suffix of the twin.
    pub name: String,
    pub signature: Signature,
    pub precision: Precision,
    pub row: Row,
}

impl Function {
    /// Where the body comes from; no library here computes with `long double`.
    pub fn body(&self) -> Body {
        if self.precision == Precision::LongDouble { Body::Missing } else { self.row.body }
    }

    /// A number computed from numbers, by mathematics that no instruction does.
    pub fn is_mathematical(&self) -> bool {
        self.row.body == Body::Native
            && self.row.operator.is_none()
            && self.row.is_harmless()
            && self.row.determinism == Determinism::Fixed
            && class_of(&self.signature.result) == Class::Float
    }
}

static TABLE: LazyLock<BTreeMap<String, Function>> = LazyLock::new(table);

fn table() -> BTreeMap<String, Function> {
    let mut table = BTreeMap::new();
    let mut add = |alias: &str, function: Function| {
        table.insert(alias.to_owned(), function);
    };
    for row in HEADERS.iter().copied().flatten() {
        let (name, signature) = Signature::read(row.declaration);
        let plain = Function { name, signature, precision: Precision::Plain, row: *row };
        add(&plain.name, plain.clone());
        for alias in row.aliases {
            add(alias, plain.clone());
        }
        if row.has_twins {
            for (suffix, precision, ty) in
                [("f", Precision::Float, "float"), ("l", Precision::LongDouble, "long double")]
            {
                let of = |text: &String| text.replace("double", ty);
                let signature = Signature {
                    result: of(&plain.signature.result),
                    params: plain.signature.params.iter().map(of).collect(),
                    is_variadic: plain.signature.is_variadic,
                };
                let name = format!("{}{suffix}", plain.name);
                add(&name.clone(), Function { name, signature, precision, row: *row });
            }
        }
    }
    let (name, signature) = Signature::read(verifier::INPUT.declaration);
    let input = Function { name, signature, precision: Precision::Plain, row: verifier::INPUT };
    add(&input.name.clone(), input);
    table
}

/// The name without what headers add for a standard (`__isoc99_`, `__isoc23_`) or for speed (`_unlocked`).
fn plain_name(name: &str) -> &str {
    let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_"));
    let plain = plain.unwrap_or(name);
    plain.strip_suffix("_unlocked").unwrap_or(plain)
}

/// The function that programs mean by a name; `None` if it is unknown.
pub fn find(name: &str) -> Option<&'static Function> {
    if let Some(function) = TABLE.get(name).or_else(|| TABLE.get(plain_name(name))) {
        return Some(function);
    }
    let is_input = verifier::INPUT_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    if is_input { TABLE.get("__VERIFIER_nondet_") } else { None }
}

/// The function of the library that an undefined function of a program is. Front-ends say which functions are the
/// library's: a program may have a `log` of its own.
pub fn function_of(declared: &glassbox_ir::Function) -> Option<&'static Function> {
    if declared.body.is_some() {
        return None;
    }
    let known = find(&declared.name)?;
    let is_library = match declared.origin {
        Origin::System | Origin::LibraryModel | Origin::Runtime => true,
        Origin::User
        | Origin::Harness { .. }
        | Origin::Requirement { .. }
        | Origin::Promise { .. }
        | Origin::Relation { .. }
        | Origin::Variant { .. }
        | Origin::StandIn => known.row.determinism == Determinism::Input,
    };
    is_library.then_some(known)
}

/// The number of the descriptor behind a variable of this name, if it is one of the standard streams.
pub fn standard_stream(name: &str) -> Option<usize> {
    let names = [["stdin", "__stdinp"], ["stdout", "__stdoutp"], ["stderr", "__stderrp"]];
    names.iter().position(|names| names.contains(&name))
}

/// Every name of the catalogue with its function, in the order of names.
pub fn functions() -> impl Iterator<Item = (&'static str, &'static Function)> {
    TABLE.iter().map(|(name, function)| (name.as_str(), function))
}

/// Whether a function of this name is, by the convention of verification tools, an input: it returns
/// anything and does nothing else.
pub fn is_input(name: &str) -> bool {
    find(name).is_some_and(|function| function.row.determinism == Determinism::Input)
}

/// Whether a function of this name gives a variable that was never set its value.
pub fn is_unset(name: &str) -> bool {
    name.starts_with(UNSET_PREFIX)
}

/// Whether the rules of verification tasks forbid calls of a function of this name.
pub fn is_forbidden(name: &str) -> bool {
    find(name).is_some_and(|function| function.row.is_forbidden)
}

/// Whether what a function allocates is its caller's: the user's own code, and models of the library that hand it
/// out. Scratch memory of `qsort` is not.
pub fn allocates_for_callers(is_model: bool, name: &str) -> bool {
    !is_model || find(name).is_some_and(|function| function.row.allocates)
}

#[cfg(test)]
mod tests {
    use super::{Body, Control, HEADERS, Precision, Signature, find, functions, is_input};

    #[test]
    fn no_function_has_two_rows() {
        let mut names: Vec<String> = Vec::new();
        for row in HEADERS.iter().copied().flatten() {
            names.push(Signature::read(row.declaration).0);
            names.extend(row.aliases.iter().map(|alias| (*alias).to_owned()));
        }
        let n_rows = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), n_rows);
    }

    #[test]
    fn twins_and_other_names_lead_to_the_row() {
        let sinf = find("sinf").expect("a twin of sin");
        assert_eq!((sinf.precision, sinf.signature.result.as_str()), (Precision::Float, "float"));
        assert_eq!(find("sinl").map(super::Function::body), Some(Body::Missing));
        assert_eq!(find("__isoc99_scanf").map(|f| f.name.as_str()), Some("scanf"));
        assert_eq!(find("getc_unlocked").map(|f| f.name.as_str()), Some("getc"));
        assert!(is_input("__VERIFIER_nondet_int") && is_input("nondet_uint"));
        assert!(find("frobnicate").is_none());
    }

    #[test]
    fn whatever_registers_a_function_may_call_it_back() {
        for (name, function) in functions() {
            let takes_function = function.signature.params.iter().any(|param| param.contains("(*"));
            let is_said = function.row.calls_back || function.row.control == Control::Jumps;
            assert!(!takes_function || is_said, "{name}");
        }
    }
}
