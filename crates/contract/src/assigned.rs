//! `assigns`: what a function may change, so that everything else is a promise to stay as it was.
//!
//! Before the call, what can be changed is kept, and the addresses of the places that may be. After it the old state is put
//! back with the new content of those places: what then differs from what the call left is a change that is not allowed.

use std::fmt::Write;

use glassbox_c_front::tree::{self, FunctionId};

use crate::expression::matching;
use crate::outcome::{Equality, Left, Sameness};
use crate::{Contract, Expression};

const BEFORE: &str = "__kept_";
const AFTER: &str = "__left_";

/// The two halves of the code, and whether there is anything to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Statements before the call.
    pub(crate) before: String,
    /// An expression that says whether nothing else has changed, behind the call.
    pub(crate) holds: String,
}

/// A place that may change: a pointer to its first element, and how many there are.
struct Place {
    start: String,
    count: String,
}

/// The code for the places that a contract lists; why it cannot be said.
pub(crate) fn frame(
    program: &tree::Program,
    function: FunctionId,
    contract: &Contract,
    assigned: &[Expression],
) -> Result<Frame, String> {
    let left = Left::of(program, (function, &[]), contract, &[])?;
    let places: Vec<Place> =
        assigned.iter().map(|one| place(contract, &one.text)).collect::<Result<_, String>>()?;
    let mut before = left.keep(BEFORE);
    let mut holds = "({ int __same = 1; ".to_owned();
    for (k, Place { start, count }) in places.iter().enumerate() {
        let _ =
            write!(before, "__auto_type __place{k} = {start}; long __room{k} = (long)({count}); ");
        let _ = write!(
            holds,
            "__typeof__(*__place{k}) __new{k}[__room{k} > 0 ? __room{k} : 1]; \
             for (long __i = 0; __i < __room{k}; __i++) __new{k}[__i] = __place{k}[__i]; "
        );
    }
    let same = |_: &crate::outcome::Memory, index: &str| index.to_owned();
    holds.push_str(&left.keep(AFTER));
    holds.push_str(&left.restore(BEFORE, same));
    for k in 0..places.len() {
        let _ = write!(
            holds,
            "for (long __i = 0; __i < __room{k}; __i++) __place{k}[__i] = __new{k}[__i]; "
        );
    }
    let equality = Equality { same: "__same", how: Sameness::Untouched };
    holds.push_str(&left.compare(program, (BEFORE, AFTER), equality, same));
    holds.push_str(&left.restore(AFTER, same));
    holds.push_str("__same; })");
    Ok(Frame { before, holds })
}

/// `x`, `*p`, `p->x`, `a[3]`, `a[]`, `a[low..high]` with both ends.
fn place(contract: &Contract, text: &str) -> Result<Place, String> {
    let text = text.trim();
    if let Some(array) = text.strip_suffix("[]") {
        let array = array.trim();
        let count = contract.length_of(array).ok_or_else(|| {
            format!("how many elements `{array}` has is not said, by `length.{array}`")
        })?;
        return Ok(Place { start: format!("({array})"), count });
    }
    let ends = text.rfind('[').filter(|&open| matching_square(text, open) == Some(text.len() - 1));
    if let Some(open) = ends
        && let Some((low, high)) = text[open + 1..text.len() - 1].split_once("..")
    {
        let array = text[..open].trim();
        let (low, high) = (low.trim(), high.trim());
        if low.is_empty() || high.is_empty() {
            return Err(format!("`{text}` needs both ends"));
        }
        return Ok(Place {
            start: format!("(({array}) + ({low}))"),
            count: format!("(long)({high}) - (long)({low}) + 1"),
        });
    }
    Ok(Place { start: format!("&({text})"), count: "1".to_owned() })
}

/// Where the bracket that opens here closes.
fn matching_square(text: &str, open: usize) -> Option<usize> {
    let round: String = text
        .chars()
        .map(|c| match c {
            '[' => '(',
            ']' => ')',
            other => other,
        })
        .collect();
    matching(round.as_bytes(), open)
}
