//! Text with marks around the conditions of a program: once as it is asked about, once with probes for the compiled run.

use std::fmt::Write as _;
use std::str::Chars;

const CONDITION: char = '\u{1}';
const SELECTOR: char = '\u{2}';
const BEGIN: char = '\u{3}';
const END: char = '\u{4}';
const LABEL: char = '\u{5}';
const OPAQUE: char = '\u{6}';
const INDEX: char = '\u{7}';
const HIT: char = '\u{8}';
const OBSERVED: char = '\u{e}';
const BOUND: char = '\u{f}';

/// A condition, number `probe`.
pub(super) fn condition(probe: usize, text: &str) -> String {
    format!("{CONDITION}{probe}{BEGIN}{text}{END}")
}

/// What a switch looks at, number `probe`.
pub(super) fn selector(probe: usize, text: &str) -> String {
    format!("{SELECTOR}{probe}{BEGIN}{text}{END}")
}

/// A case of the switch whose selector has the number `probe`, or what is called where an assertion fails.
pub(super) fn label(probe: usize, text: &str) -> String {
    format!("{LABEL}{probe}{BEGIN}{text}{END}")
}

/// A number that gcc has to compute: what it folds away would hide undefined behavior.
pub(super) fn opaque(text: &str) -> String {
    format!("{OPAQUE}{BEGIN}{text}{END}")
}

/// An index of an array with so many elements.
pub(super) fn index(n_elements: u32, text: &str) -> String {
    format!("{INDEX}{n_elements}{BEGIN}{text}{END}")
}

/// Something that is noticed when a run comes by, number `probe`.
pub(super) fn hit(probe: usize) -> String {
    format!("{HIT}{probe}{BEGIN}{END}")
}

/// An `int` whose least and greatest values are of interest, number `probe`.
pub(super) fn observed(probe: usize, text: &str) -> String {
    format!("{OBSERVED}{probe}{BEGIN}(int)({text}){END}")
}

/// A comparison with the least or the greatest value that is observed there, which is not known yet.
pub(super) fn bound(probe: usize, which: Bound) -> String {
    format!("{BOUND}{probe}{BEGIN}{which:?}{END}")
}

/// What is said about observed values: always true, or true but for one value where there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    AtMost,
    AtLeast,
    Less,
    More,
    NotLeast,
    NotGreatest,
}

/// The text with comparisons where bounds are, with 0 where nothing was observed.
pub(super) fn with_bounds(marked: &str, values: impl Fn(usize) -> Option<(i32, i32)>) -> String {
    let mut text = String::new();
    let mut parts = marked.split(BOUND);
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (number, rest) = part.split_once(BEGIN).expect("marks have numbers");
        let (which, rest) = rest.split_once(END).expect("marks are paired");
        let (least, greatest) = number.parse().ok().and_then(&values).unwrap_or((0, 0));
        let has_several = least < greatest;
        let (op, value) = match which {
            "AtMost" => ("<=", greatest),
            "Less" => (if has_several { "<" } else { "<=" }, greatest),
            "NotGreatest" => (if has_several { "!=" } else { "==" }, greatest),
            "More" => (if has_several { ">" } else { ">=" }, least),
            "NotLeast" => (if has_several { "!=" } else { "==" }, least),
            _ => (">=", least),
        };
        let _ = match value.checked_neg() {
            None => write!(text, "{op} (-2147483647 - 1)"),
            Some(_) => write!(text, "{op} {value}"),
        };
        text.push_str(rest);
    }
    text
}

/// Where a probe stands in the text without marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) probe: usize,
    pub(super) line: usize,
    pub(super) column: usize,
    /// Whether it is a label.
    pub(super) is_label: bool,
}

/// The text without marks, and where the probes stand in it.
pub(super) fn plain(marked: &str) -> (String, Vec<Place>) {
    let (mut text, mut places) = (String::new(), Vec::new());
    let (mut line, mut column) = (1, 1);
    let mut chars = marked.chars();
    while let Some(char) = chars.next() {
        match char {
            CONDITION | SELECTOR | LABEL | OPAQUE | INDEX | HIT | OBSERVED => {
                let number = number(&mut chars);
                if let (CONDITION | SELECTOR | LABEL | HIT, Some(probe)) = (char, number) {
                    places.push(Place { probe, line, column, is_label: char == LABEL });
                }
            }
            END => {}
            _ => {
                (line, column) = if char == '\n' { (line + 1, 1) } else { (line, column + 1) };
                text.push(char);
            }
        }
    }
    (text, places)
}

/// The number of a mark, with what is behind it.
fn number(chars: &mut Chars) -> Option<usize> {
    chars.by_ref().take_while(|char| *char != BEGIN).collect::<String>().parse().ok()
}

/// The text with calls of probes where marks are. What is observed is compared with what was observed before: the compiled
/// program is run twice.
pub(super) fn probed(marked: &str) -> String {
    let mut text = String::new();
    let mut ends = Vec::new();
    let mut chars = marked.chars();
    while let Some(char) = chars.next() {
        let call = match char {
            CONDITION => Some(("probe", ") ? 1 : 0)")),
            SELECTOR => Some(("selected", "))")),
            OBSERVED => Some(("tight", "))")),
            BOUND => {
                let _ = number(&mut chars);
                let which: String = chars.by_ref().take_while(|char| *char != END).collect();
                let _ = write!(text, ", {which})");
                continue;
            }
            INDEX => Some(("inside", "), __LINE__)")),
            OPAQUE => Some(("opaque", "))")),
            HIT => Some(("hit", ")); ")),
            LABEL => None,
            END => {
                text.push_str(ends.pop().expect("marks are paired"));
                continue;
            }
            _ => {
                text.push(char);
                continue;
            }
        };
        let number = number(&mut chars).map(|number| number.to_string()).unwrap_or_default();
        if char == OBSERVED {
            let _ = write!(text, "tight({number}, observe({number}, (");
            ends.push("))");
            continue;
        }
        let comma = if number.is_empty() || char == HIT { "" } else { ", (" };
        if let Some((name, _)) = call {
            let _ =
                write!(text, "{name}({}{number}{comma}", if comma.is_empty() { "(" } else { "" });
        }
        ends.push(call.map_or("", |(_, end)| end));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Bound, Place, bound, condition, observed, plain, probed, selector, with_bounds};

    #[test]
    fn what_is_observed_is_compared_by_a_function() {
        let marked = condition(0, &format!("{} {}", observed(1, "x"), bound(1, Bound::Less)));
        assert_eq!(probed(&marked), "probe(0, (tight(1, observe(1, ((int)(x))) , Less)) ? 1 : 0)");
        assert_eq!(plain(&with_bounds(&marked, |_| Some((2, 5)))).0, "(int)(x) < 5");
    }

    #[test]
    fn both_texts_have_the_same_lines() {
        let inner = condition(1, "b");
        let marked = format!(
            "if (\n{}) switch ({}) ;",
            condition(0, &format!("({inner} ? x : 1) > 2")),
            selector(2, "x")
        );
        let (text, places) = plain(&marked);
        assert_eq!(text, "if (\n(b ? x : 1) > 2) switch (x) ;");
        let expected = [(0, 2, 1), (1, 2, 2), (2, 2, 26)];
        assert_eq!(
            places,
            expected.map(|(probe, line, column)| Place { probe, line, column, is_label: false })
        );
        assert_eq!(
            probed(&marked),
            "if (\nprobe(0, ((probe(1, (b) ? 1 : 0) ? x : 1) > 2) ? 1 : 0)) switch (selected(2, (x))) ;"
        );
    }
}
