//! Probes: a copy of the source in which every condition reports its value.

use std::ops::Range;

use glassbox_ir::{Body, DecisionId, FileId, Span};

/// A condition that a probe watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeSite {
    pub decision: DecisionId,
    pub condition: u16,
}

/// A comparison whose operands a probe compares more closely: for boundary values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonSite {
    pub span: Span,
    /// Bytes of its text before the operator, and before the right side.
    pub left_end: usize,
    pub right_start: usize,
    pub operator: &'static str,
}

/// How the left operand stood to the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenRelation {
    Equal = 1,
    /// The next number below.
    Below = 2,
    Above = 3,
}

/// Numbers of probes that one comparison takes.
const PER_COMPARISON: usize = 4;

/// The number that the probe of a comparison reports, after those of `n_sites` conditions.
pub fn relation_probe(n_sites: usize, comparison: usize, relation: SeenRelation) -> usize {
    n_sites + comparison * PER_COMPARISON + relation as usize
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

/// Puts a probe around every condition of `body` that stands in `file`, whose text is `source`, and around
/// the operands of `comparisons`, which stand there too.
pub fn instrument(
    source: &str,
    file: FileId,
    body: &Body,
    comparisons: &[ComparisonSite],
    macros: Macros,
) -> Probes {
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
                usize::MAX - 2 * length,
                format!("glassbox_probe({number}, !!("),
            ));
            insertions.push((end, 0, 2 * length + 1, "))".to_owned()));
        }
    }
    for (index, comparison) in comparisons.iter().enumerate() {
        let span = comparison.span;
        let range = offset(span.line, span.column).zip(offset(span.end_line, span.end_column));
        if let Some((start, end)) = range.filter(|_| span.file == file) {
            let first = sites.len() + index * PER_COMPARISON;
            insertions.extend(operand_probes(comparison, start..end, index, first));
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

/// What makes `a < b` keep its operands and compare them: inside a condition of the same length, outside of
/// what its operands have inside.
fn operand_probes(
    comparison: &ComparisonSite,
    range: Range<usize>,
    index: usize,
    first: usize,
) -> [(usize, u8, usize, String); 4] {
    let Range { start, end } = range;
    let length = range.len();
    let (left, right) = (format!("glassbox_l{index}"), format!("glassbox_r{index}"));
    let operator = comparison.operator;
    // The operator itself becomes a comment.
    [
        (start, 1, usize::MAX - 2 * length + 1, format!("({{ __auto_type {left} = +(")),
        (start + comparison.left_end, 0, usize::MAX, "); /*".to_owned()),
        (start + comparison.right_start, 1, 0, format!("*/ __auto_type {right} = +(")),
        (
            end,
            0,
            2 * length,
            format!(
                "); glassbox_probe({first} + glassbox_relation({left}, {right}), 1); \
                 {left} {operator} {right}; }})"
            ),
        ),
    ]
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

    use super::{ComparisonSite, Macros, SeenRelation, instrument, relation_probe};

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
        let probes = instrument(source, FileId::new(0), &body, &[], Macros::Trusted);
        assert_eq!(
            probes.text,
            "int f(int a)\n{ return glassbox_probe(0, !!(g(glassbox_probe(2, !!(a)) && \
             glassbox_probe(3, !!(b))))) || glassbox_probe(1, !!(c)); }\n"
        );
        assert_eq!(probes.n_unseen, 0);
    }

    #[test]
    fn operands_of_comparisons_are_kept_inside_the_probe_of_their_condition() {
        let source = "int f(int a)\n{ return a < 3; }\n";
        let whole = condition(2, 10, "a < 3");
        let comparison =
            ComparisonSite { span: whole.span, left_end: 2, right_start: 3, operator: "<" };
        let decision = Decision {
            kind: DecisionKind::Value,
            span: whole.span,
            conditions: vec![whole],
            formula: Formula::Condition(0),
        };
        let body = Body {
            blocks: vec![],
            values: vec![],
            locals: vec![],
            vars: vec![],
            decisions: vec![decision],
        };
        let probes = instrument(source, FileId::new(0), &body, &[comparison], Macros::Trusted);
        assert_eq!(
            probes.text,
            "int f(int a)\n{ return glassbox_probe(0, !!(({ __auto_type glassbox_l0 = +(a ); /*<*/ \
             __auto_type glassbox_r0 = +( 3); glassbox_probe(1 + glassbox_relation(glassbox_l0, \
             glassbox_r0), 1); glassbox_l0 < glassbox_r0; }))); }\n"
        );
        assert_eq!(relation_probe(1, 0, SeenRelation::Below), 3);
    }
}
