//! How the work on the functions of a suite began: the rest of the suite is passed over, and read where it is asked for.

use std::ops::Range;

use serde::Deserialize;

use super::test::{Inputs, Rerun};

/// A function of a suite that was written before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Begun {
    pub name: String,
    pub file: Option<String>,
    pub depends: String,
    pub seeds: Vec<Inputs>,
    pub earlier: Vec<Rerun>,
    /// Where all about it stands in the text.
    #[serde(skip)]
    pub place: Range<usize>,
}

/// What functions stand behind in the text of a suite. Texts inside of it have no line breaks.
const FUNCTIONS: &str = "\n  \"functions\": [";

/// The functions of a suite; none where the text is no suite as it is written.
#[must_use]
pub fn begun(text: &str) -> Vec<Begun> {
    let mut found = Vec::new();
    let Some(start) = text.find(FUNCTIONS) else { return found };
    let mut at = start + FUNCTIONS.len();
    loop {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Begun>();
        let Some(Ok(mut function)) = values.next() else { return found };
        let end = at + values.byte_offset();
        function.place = at..end;
        found.push(function);
        let rest = text[end..].trim_start();
        if !rest.starts_with(',') {
            return found;
        }
        at = text.len() - rest.len() + 1;
    }
}

/// A file in which [`begun`] finds functions with these texts, and nothing else.
#[must_use]
pub fn text(functions: &[String]) -> String {
    format!("{{{FUNCTIONS}{}\n  ]\n}}\n", functions.join(","))
}

#[cfg(test)]
mod tests {
    use super::{begun, text};
    use crate::data::{Function, SuiteData};

    #[test]
    fn functions_are_found_where_they_stand() {
        let function = |name: &str| Function {
            name: name.to_owned(),
            depends: format!("of {name}"),
            ..Function::default()
        };
        for names in [&[][..], &["f"], &["f", "g", "\n  \"functions\": ["]] {
            let functions: Vec<Function> = names.iter().copied().map(function).collect();
            let suite = SuiteData { functions, ..SuiteData::default() };
            let text = suite.to_text();
            let found = begun(&text);
            assert_eq!(found.len(), names.len());
            for (found, function) in found.iter().zip(&suite.functions) {
                assert_eq!((&found.name, &found.depends), (&function.name, &function.depends));
                let read: Result<Function, _> = serde_json::from_str(&text[found.place.clone()]);
                assert_eq!(read.ok().as_ref(), Some(function));
            }
        }
        let place = |found: &super::Begun, text: &str| text[found.place.clone()].to_owned();
        let suite =
            SuiteData { functions: vec![function("f"), function("g")], ..SuiteData::default() };
        let all = suite.to_text();
        let texts: Vec<String> = begun(&all).iter().map(|found| place(found, &all)).collect();
        for n_taken in 0..=2 {
            let some = text(&texts[..n_taken]);
            let again: Vec<String> = begun(&some).iter().map(|found| place(found, &some)).collect();
            assert_eq!(again, texts[..n_taken]);
        }
        for broken in ["", "{}", "{\n  \"functions\": [", "{\n  \"functions\": [3]}"] {
            assert_eq!(begun(broken), []);
        }
    }
}
