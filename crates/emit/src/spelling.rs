//! How a source spells the numbers that a function returns: `-EINVAL` for -22.
//!
//! Read off the function's own text: what stands behind `return`, and what is assigned to variables that it returns. A
//! number that has two spellings there has none, and one that only a called function spells is taken from that.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{Callee, FuncId, InstrKind, Origin, Program, SourceType};
use glassbox_testcase::InputValue;

use crate::outcome::mathematical;
use crate::unit_names::UnitNames;

/// Spellings of numbers, where there is one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spellings(BTreeMap<i128, Option<String>>);

impl Spellings {
    /// What `function` returns, as its unit spells it.
    pub fn of(program: &Program, names: &UnitNames, function: FuncId) -> Spellings {
        let mut own = Spellings::default();
        own.read(program, names, function);
        let mut called = Spellings::default();
        for callee in callees(program, function) {
            called.read(program, names, callee);
        }
        for (number, spelling) in called.0 {
            own.0.entry(number).or_insert(spelling);
        }
        own
    }

    /// The spelling of an integer of a type.
    pub fn of_value(&self, ty: &SourceType, value: &InputValue) -> Option<&str> {
        let (SourceType::Int { signedness, .. }, InputValue::Int(bits)) = (ty, value) else {
            return None;
        };
        self.0.get(&mathematical(*bits, *signedness))?.as_deref()
    }

    fn read(&mut self, program: &Program, names: &UnitNames, function: FuncId) {
        let Some(text) = body_text(program, function) else { return };
        for spelling in returned(&words_of(text)) {
            let (sign, name) = match spelling.strip_prefix('-') {
                Some(name) => (-1, name),
                None => (1, spelling.as_str()),
            };
            // Tests may see something else under the name.
            let params = &program.function(function).params;
            if !names.has(name) || params.iter().any(|param| param.name == name) {
                continue;
            }
            let Some(value) = names.constant(name) else { continue };
            let known = self.0.entry(sign * value).or_insert_with(|| Some(spelling.clone()));
            if known.as_deref() != Some(&spelling) {
                *known = None;
            }
        }
    }
}

/// The user's functions that this one calls by name.
fn callees(program: &Program, function: FuncId) -> BTreeSet<FuncId> {
    let Some(body) = &program.function(function).body else { return BTreeSet::new() };
    let instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    let called = instrs.filter_map(|instr| {
        let InstrKind::Call(call) = &instr.kind else { return None };
        if let Callee::Direct(callee) = call.callee { Some(callee) } else { None }
    });
    let is_users =
        |callee: &FuncId| program.function(*callee).origin == Origin::User && *callee != function;
    called.filter(is_users).collect()
}

/// The text between the braces of a function's body.
fn body_text(program: &Program, function: FuncId) -> Option<&str> {
    let declared = program.function(function);
    declared.body.as_ref()?;
    let text = program.files.get(declared.span.file.index())?.text.as_deref()?;
    let line = usize::try_from(declared.span.line).ok()?.checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    text.get(start..)
}

/// Words and marks of a function from its head to the brace that ends it, without comments and literals.
fn words_of(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    let mut depth = 0;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' => literal_length(rest, first),
            _ if is_part(first) => rest.find(|c: char| !is_part(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let word = &rest[..length];
        match first {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        let is_comment = word.starts_with("//") || word.starts_with("/*");
        if !first.is_whitespace() && !is_comment {
            words.push(word);
        }
        if depth == 0 && matches!(first, '}' | ';') {
            break;
        }
        rest = &rest[length..];
    }
    words
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn literal_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return at,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// `NAME` and `-NAME` that are returned, directly or by way of a variable.
fn returned(words: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        if *word == "return" {
            found.extend(choices(&words[at + 1..]));
        }
    }
    let variables = found.clone();
    for (at, pair) in words.windows(2).enumerate() {
        let is_assigned = pair[1] == "=" && words.get(at + 2).is_some_and(|next| *next != "=");
        if is_assigned && variables.contains(pair[0]) {
            found.extend(choices(&words[at + 2..]));
        }
    }
    found
}

/// The values of an expression up to its end that are a name with or without a sign: all of it, or a choice of `?:`.
fn choices(words: &[&str]) -> Vec<String> {
    let end = words.iter().position(|word| matches!(*word, ";" | "{" | "}")).unwrap_or(0);
    let parts = words[..end].split(|word| matches!(*word, "?" | ":"));
    let spelled = |part: &[&str]| {
        let inner: Vec<&str> =
            part.iter().copied().filter(|word| !matches!(*word, "(" | ")")).collect();
        let is_name = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && word.chars().all(is_part)
        };
        match inner[..] {
            [name] if is_name(name) => Some(name.to_owned()),
            ["-", name] if is_name(name) => Some(format!("-{name}")),
            _ => None,
        }
    };
    parts.filter_map(spelled).collect()
}

#[cfg(test)]
mod tests {
    use super::{returned, words_of};

    #[test]
    fn names_behind_return_are_found() {
        let text = "int f(int x) {\n  int ret = E_NONE; /* return NOT; */\n  if (x == 3) return -EINVAL;\n  \
                    if (x) return (x > 7 ? (EBUSY) : -EIO);\n  \"return TEXT;\"; '\\'';\n  if (!x) { ret = -E_GONE; goto out; }\n  \
                    if (ret == E_SAME) other = E_OTHER;\nout:\n  return ret;\n}\nint g(void) { return BEYOND; }\n";
        let found: Vec<String> = returned(&words_of(text)).into_iter().collect();
        assert_eq!(found, ["-EINVAL", "-EIO", "-E_GONE", "EBUSY", "E_NONE", "ret"]);
    }
}
