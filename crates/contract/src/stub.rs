//! `[stub.f]`: what an undefined function returns and writes, as conditions on the results of its calls.
//!
//! ```toml
//! [stub.read_sensor]
//! returns = ["0..4095", "SENSOR_BUSY"]
//! sequence = ["SENSOR_BUSY", 0]
//! out."*value" = "0..100"
//! ```
//!
//! A stub is a promise (`harness`): a function of the program that is asked after every call, so that tests, paths and
//! proofs keep to it and no engine knows about it.

use std::ops::Range;

use crate::Bounds;
use crate::expression::identifiers;

/// What is said about a function where the program does not define it.
#[derive(Debug, Clone)]
pub struct Stub {
    pub function: String,
    /// The function's name in the file.
    pub name: Range<usize>,
    /// What calls return; empty where nothing is said.
    pub returns: Vec<Allowed>,
    /// What the first call returns, the second and so on; the last for all that follow.
    pub sequence: Vec<Allowed>,
    pub outputs: Vec<Output>,
}

/// What is behind a parameter after every call.
#[derive(Debug, Clone)]
pub struct Output {
    /// A C expression: `*value`, `out->length`.
    pub place: String,
    /// Where it starts in the file.
    pub offset: usize,
    pub allowed: Vec<Allowed>,
}

/// A value or a range of them.
#[derive(Debug, Clone)]
pub struct Allowed {
    pub values: Values,
    /// Where it starts in the file.
    pub offset: usize,
}

#[derive(Debug, Clone)]
pub enum Values {
    /// A C expression.
    One(String),
    Between(Bounds),
}

/// The types of integers by which [`Allowed::fits`] asks what fits.
const INTEGERS: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

impl Allowed {
    /// Appends a C condition that what stands at a place has one of these values.
    fn condition(&self, place: &Place<'_>, out: &mut Vec<Piece>) {
        let Place { text, offset } = place;
        match &self.values {
            Values::One(value) => {
                out.extend([(*offset, "(".to_owned()), (*offset, (*text).to_owned())]);
                out.push((*offset, ") == (".to_owned()));
                out.extend([(self.offset, value.clone()), (*offset, ")".to_owned())]);
            }
            Values::Between(bounds) => {
                let conditions = bounds.conditions(&format!("({text})"));
                let whole: Vec<String> =
                    conditions.iter().map(|condition| format!("({condition})")).collect();
                let all = if whole.is_empty() { "1".to_owned() } else { whole.join(" && ") };
                out.push((self.offset, all));
            }
        }
    }

    /// Assertions that what stands at a place has the numbers that are named here: of what cannot be there, no run is left,
    /// and everything would be proved. `-1` is what unsigned functions return where something failed, too.
    fn fits(&self, place: &str) -> Vec<Piece> {
        let as_there = |text: &str| {
            let types = INTEGERS.iter().map(|ty| format!("{ty}: ({ty})({text}), "));
            format!("_Generic(({place}), {}default: ({text}))", types.collect::<String>())
        };
        let is_number = |text: &&str| text.parse::<i128>().is_ok();
        let is_range = matches!(self.values, Values::Between(_));
        let assertion = |text: &str| {
            let sign = format!(" && ({} < 0) == (({text}) < 0)", as_there(text));
            let sign = if is_range { sign.as_str() } else { "" };
            let condition = format!("{} == ({text}){sign}", as_there(text));
            let message = format!("`{place}` has no such value").replace('"', "'");
            (self.offset, format!("_Static_assert({condition}, \"{message}\");"))
        };
        self.texts().into_iter().filter(is_number).map(assertion).collect()
    }

    fn texts(&self) -> Vec<&str> {
        match &self.values {
            Values::One(value) => vec![value],
            Values::Between(Bounds { low, high }) => {
                [low, high].into_iter().flatten().map(String::as_str).collect()
            }
        }
    }
}

/// An expression and where it stands in the file.
struct Place<'a> {
    text: &'a str,
    offset: usize,
}

/// Code of a judge that stands at a place in the file.
pub(crate) type Piece = (usize, String);

impl Stub {
    /// Statements that give 0 back where a call did something else. `is_integer`: what it returns.
    pub(crate) fn statements(&self, is_integer: bool) -> Vec<Piece> {
        let result = Place { text: "result", offset: self.name.start };
        let mut all = Vec::new();
        if is_integer {
            let results = self.returns.iter().chain(&self.sequence);
            all.extend(results.flat_map(|allowed| allowed.fits("result")));
        }
        if let Some(last) = self.sequence.len().checked_sub(1) {
            let counter = format!(
                "static unsigned long __calls; unsigned long __call = __calls; \
                 if (__calls < {last}ul) __calls++;"
            );
            all.push((self.name.start, counter));
        }
        for (position, allowed) in self.sequence.iter().enumerate() {
            all.push((allowed.offset, format!("if (__call == {position}ul && !(")));
            allowed.condition(&result, &mut all);
            all.push((allowed.offset, ")) return 0;".to_owned()));
        }
        any_of(&self.returns, &result, &mut all);
        for output in &self.outputs {
            let Output { place, offset, allowed } = output;
            all.extend(allowed.iter().flat_map(|allowed| allowed.fits(place)));
            // Nothing is behind a null pointer.
            let pointer = behind(place).unwrap_or("1");
            let mut condition = pointer.to_owned();
            // Nothing is said of two places that are one: either of them was written last.
            let others = self.outputs.iter().filter(|other| other.place != *place);
            for same in others.filter_map(|other| same_place(place, &other.place)) {
                condition.push_str(&format!(" && !({same})"));
            }
            all.push((*offset, format!("if ({condition}) {{")));
            any_of(allowed, &Place { text: place, offset: *offset }, &mut all);
            all.push((*offset, "}".to_owned()));
        }
        all
    }

    /// All names that its expressions use.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        let allowed = self.returns.iter().chain(&self.sequence);
        let allowed = allowed.chain(self.outputs.iter().flat_map(|output| &output.allowed));
        let places = self.outputs.iter().map(|output| output.place.as_str());
        allowed.flat_map(Allowed::texts).chain(places).flat_map(identifiers)
    }
}

/// Appends a statement that gives 0 back where a place has none of these values; where none is named, nothing.
fn any_of(allowed: &[Allowed], place: &Place<'_>, out: &mut Vec<Piece>) {
    let Some((first, others)) = allowed.split_first() else { return };
    out.push((first.offset, "if (!(".to_owned()));
    first.condition(place, out);
    for other in others {
        out.push((other.offset, "||".to_owned()));
        other.condition(place, out);
    }
    out.push((first.offset, ")) return 0;".to_owned()));
}

/// A condition that two places behind pointers are one.
fn same_place(place: &str, other: &str) -> Option<String> {
    let (pointer, its) = (behind(place)?, behind(other)?);
    let are_alike = match (place.starts_with('*'), other.starts_with('*')) {
        (true, true) => true,
        (false, false) => place[pointer.len()..] == other[its.len()..],
        (true, false) | (false, true) => {
            return Some(format!("({its}) && (void *)&({place}) == (void *)&({other})"));
        }
    };
    are_alike.then(|| format!("(void *)({pointer}) == (void *)({its})"))
}

/// The pointer that a place is behind.
pub(crate) fn behind(place: &str) -> Option<&str> {
    match (place.strip_prefix('*'), place.rfind("->")) {
        (Some(pointer), _) => Some(pointer),
        (None, Some(arrow)) => Some(&place[..arrow]),
        (None, None) => None,
    }
}
