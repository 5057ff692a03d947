//! Probes: a copy of the source in which every condition reports its value.

use glassbox_ir::{Body, DecisionId, FileId};

/// A condition that a probe watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeSite {
    pub decision: DecisionId,
    pub condition: u16,
}

/// The instrumented text and what its probes mean.
#[derive(Debug, Clone)]
pub struct Probes {
    pub text: String,
    /// By probe number.
    pub sites: Vec<ProbeSite>,
    /// Conditions that no probe can watch, because a macro makes them.
    pub n_unseen: usize,
}

/// What to think of conditions that may be calls of macros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Macros {
    /// They are expressions, unless several conditions stand in one place.
    Trusted,
    /// They may be statements with conditions inside: no probe watches them.
    Avoided,
}

/// Puts a probe around every condition of `body` that stands in `file`, whose text is `source`.
pub fn instrument(source: &str, file: FileId, body: &Body, macros: Macros) -> Probes {
    let line_starts: Vec<usize> =
        [0].into_iter().chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |line: u32, column: u32| -> Option<usize> {
        let start = line_starts.get(usize::try_from(line).ok()?.checked_sub(1)?)?;
        start.checked_add(usize::try_from(column).ok()?.checked_sub(1)?)
    };
    let mut sites = Vec::new();
    let mut n_unseen = 0;
    // (offset, closing before opening, longer span outside, text)
    let mut insertions: Vec<(usize, u8, usize, String)> = Vec::new();
    let all = || body.decisions.iter().flat_map(|decision| &decision.conditions);
    for (index, decision) in body.decisions.iter().enumerate() {
        for (position, condition) in (0u16..).zip(&decision.conditions) {
            let span = condition.span;
            // Several conditions in one place are inside a macro that is called there.
            let is_shared = all().filter(|other| other.span == span).count() > 1;
            let may_be_macro = macros == Macros::Avoided && is_macro_like(&condition.text);
            let range = offset(span.line, span.column).zip(offset(span.end_line, span.end_column));
            let is_plain = span.file == file
                && !is_shared
                && !may_be_macro
                && range.is_some_and(|(start, end)| {
                    source.get(start..end).is_some_and(|text| same_text(text, &condition.text))
                });
            let Some((start, end)) = range.filter(|_| is_plain) else {
                n_unseen += 1;
                continue;
            };
            let number = sites.len();
            sites.push(ProbeSite { decision: DecisionId::new(index), condition: position });
            let length = end - start;
            insertions.push((
                start,
                1,
                usize::MAX - length,
                format!("glassbox_probe({number}, !!("),
            ));
            insertions.push((end, 0, length, "))".to_owned()));
        }
    }
    insertions.sort();
    let mut text = String::with_capacity(source.len() + insertions.len() * 24);
    let mut copied = 0;
    for (at, _, _, inserted) in insertions {
        text.push_str(&source[copied..at]);
        text.push_str(&inserted);
        copied = at;
    }
    text.push_str(&source[copied..]);
    Probes { text, sites, n_unseen }
}

/// Whether the text is a name or a call, as macros are.
fn is_macro_like(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let after = text.trim_start_matches(is_letter).trim();
    let is_name = after.is_empty() && text.chars().all(|c| !c.is_ascii_lowercase());
    is_name || (after.starts_with('(') && after.ends_with(')'))
}

/// Equal but for white space: texts of conditions may be folded.
fn same_text(a: &str, b: &str) -> bool {
    let letters =
        |text: &str| -> Vec<char> { text.chars().filter(|c| !c.is_whitespace()).collect() };
    letters(a) == letters(b)
}

/// Reads what probes wrote: (probe, value), in order.
pub fn read_events(text: &str) -> Vec<(usize, bool)> {
    text.lines()
        .filter_map(|line| {
            let (probe, value) = line.split_once(' ')?;
            Some((probe.parse().ok()?, value == "1"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use glassbox_ir::{Body, Condition, Decision, DecisionKind, FileId, Formula, Span};

    use super::{Macros, instrument};

    fn condition(line: u32, column: u32, text: &str) -> Condition {
        let end = column + u32::try_from(text.len()).expect("short");
        let span = Span::new(FileId::new(0), line, column, line, end);
        Condition { span, text: text.to_owned() }
    }

    #[test]
    fn nested_and_neighboring_conditions_are_wrapped() {
        let source = "int f(int a)\n{ return g(a && b) || c; }\n";
        let decision = |conditions: Vec<Condition>| Decision {
            kind: DecisionKind::Value,
            span: conditions[0].span,
            conditions,
            formula: Formula::Condition(0),
        };
        let body = Body {
            blocks: vec![],
            values: vec![],
            locals: vec![],
            vars: vec![],
            decisions: vec![
                decision(vec![condition(2, 10, "g(a && b)"), condition(2, 23, "c")]),
                decision(vec![condition(2, 12, "a"), condition(2, 17, "b")]),
            ],
        };
        let probes = instrument(source, FileId::new(0), &body, Macros::Trusted);
        assert_eq!(
            probes.text,
            "int f(int a)\n{ return glassbox_probe(0, !!(g(glassbox_probe(2, !!(a)) && \
             glassbox_probe(3, !!(b))))) || glassbox_probe(1, !!(c)); }\n"
        );
        assert_eq!(probes.n_unseen, 0);
    }
}
