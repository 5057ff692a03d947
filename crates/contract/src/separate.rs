//! `separate = ["to", "from"]`: arrays of known length that share no element, as conditions in C.
//!
//! Inputs are objects of their own. A caller may as well pass parts of one array, which a function can only tell by comparing
//! addresses or by freeing one of them (`driver` names that).

use toml::de::DeValue;

use crate::harness::Purpose;
use crate::read::{Item, Reader, Reading};
use crate::{Clause, ClauseKind, Contract};

/// The clause; lengths are looked for when all keys are read.
pub(crate) fn read(reader: &Reader<'_>, item: &Item<'_>) -> Reading<Clause> {
    let wanted = "a list of two or more pointers";
    let DeValue::Array(items) = item.get_ref() else { return reader.wrong(item, wanted) };
    let mut names: Vec<String> = Vec::new();
    for item in items {
        let (name, _) = reader.string(item, "the name of a pointer")?;
        if names.contains(&name) {
            return Err(reader.complaint(item.span(), "this pointer is named twice", None));
        }
        names.push(name);
    }
    let Some(first) = items.first().filter(|_| names.len() > 1) else {
        return reader.wrong(item, wanted);
    };
    let shown = format!("separate {}", names.join(", "));
    let offset = first.span().start + 1;
    let kind = ClauseKind::Separate(names);
    Ok(Clause { kind, shown, offset, declared: None, behavior: None })
}

/// Refuses names whose length is not said.
pub(crate) fn lengths_are_known(
    reader: &Reader<'_>,
    item: Option<&Item<'_>>,
    contract: &Contract,
) -> Reading<()> {
    let Some(DeValue::Array(items)) = item.map(|item| item.get_ref()) else { return Ok(()) };
    for item in items {
        let DeValue::String(name) = item.get_ref() else { continue };
        if contract.length_of(name).is_none() {
            let message =
                format!("how many elements `{name}` points to has to be said, by `length.{name}`");
            return Err(reader.complaint(item.span(), &message, None));
        }
    }
    Ok(())
}

/// Every two that share nothing.
pub(crate) fn pairs(names: &[String]) -> impl Iterator<Item = (&String, &String)> {
    let behind = |at: usize| names.iter().skip(at + 1);
    names.iter().enumerate().flat_map(move |(at, p)| behind(at).map(move |q| (p, q)))
}

/// The object that a pointer points into, by its first byte.
pub(crate) fn start(pointer: &str) -> String {
    format!("(const char *){pointer} - __glassbox_offset((const void *){pointer})")
}

/// What is assumed of inputs, or tested of the arguments of calls.
pub(crate) fn conditions(contract: &Contract, names: &[String], purpose: Purpose) -> Vec<String> {
    let condition = |(p, q): (&String, &String)| {
        let (p, q) = ((p, format!("(\u{1}{p})")), (q, format!("(\u{1}{q})")));
        let is_other = format!("{} != {}", start(&p.1), start(&q.1));
        if purpose == Purpose::Assume {
            // Null leads to nothing that could be shared.
            return format!("!{} || !{} || {is_other}", p.1, q.1);
        }
        let is_before = |(a, at): &(&String, String), (_, behind): &(&String, String)| {
            let offset = |at: &str| format!("__glassbox_offset((const void *){at})");
            let count = contract.length_of(a).unwrap_or_else(|| "0".to_owned());
            format!(
                "{} + sizeof \u{1}*({a}) * (unsigned long)(\u{1}{count}) <= {}",
                offset(at),
                offset(behind)
            )
        };
        format!("{is_other} || {} || {}", is_before(&p, &q), is_before(&q, &p))
    };
    pairs(names).map(condition).collect()
}

/// The same for a compiler.
pub(crate) fn compiled(contract: &Contract, names: &[String]) -> Vec<String> {
    let is_before = |p: &String, q: &String| {
        let count = contract.length_of(p).unwrap_or_else(|| "0".to_owned());
        format!(
            "(const char *)({p}) + sizeof *({p}) * (unsigned long)({count}) <= (const char *)({q})"
        )
    };
    pairs(names).map(|(p, q)| format!("{} || {}", is_before(p, q), is_before(q, p))).collect()
}
