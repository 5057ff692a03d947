//! Boundary goals as probes of replay: which comparisons to watch, and what each test should show there.

use glassbox_coverage::comparison::{parts, text_at};
use glassbox_coverage::{Goal, Relation};
use glassbox_ir::Span;
use glassbox_replay::{ComparisonSite, SeenRelation};
use glassbox_testcase::Test;

use super::C;
use super::replay::Placed;

/// Comparisons and, by test, what it should show of them.
pub(super) fn watched(
    c: &C,
    placed: &Placed,
    goals: &[Goal],
    tests: &[&Test],
) -> (Vec<ComparisonSite>, Vec<Vec<(usize, SeenRelation)>>) {
    let mut sites: Vec<ComparisonSite> = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    let mut expected = vec![Vec::new(); tests.len()];
    for goal in goals {
        let Some(relation) = goal.relation else { continue };
        let known = spans.iter().position(|span| *span == goal.span);
        let site = known.or_else(|| {
            sites.push(site(c, placed, goal)?);
            spans.push(goal.span);
            Some(sites.len() - 1)
        });
        let Some(site) = site else { continue };
        let relation = match relation {
            Relation::Equal => SeenRelation::Equal,
            Relation::Below => SeenRelation::Below,
            Relation::Above => SeenRelation::Above,
        };
        for (test, expected) in tests.iter().zip(&mut expected) {
            if test.covers.contains(&goal.id) {
                expected.push((site, relation));
            }
        }
    }
    (sites, expected)
}

/// The comparison in the preprocessed text; `None` where a macro had a hand in it.
fn site(c: &C, placed: &Placed, goal: &Goal) -> Option<ComparisonSite> {
    let text = text_at(&c.program, goal.span)?;
    let parts = parts(&text)?;
    let expanded = c.sources.expanded(goal.span, placed.at)?;
    let (_, range) = c.sources.unit_text(expanded)?;
    let found = placed.text.get(range.clone())?;
    Some(ComparisonSite {
        left_end: same_place(text.as_bytes(), parts.left_end, found)?,
        right_start: same_place(text.as_bytes(), parts.right_start, found)?,
        operator: parts.op.text(),
        line: goal.span.line,
        range,
    })
}

/// Where what stands at `at` of a text stands in another that differs from it in white space alone.
fn same_place(text: &[u8], at: usize, other: &[u8]) -> Option<usize> {
    let letters = |text: &[u8]| -> Vec<u8> {
        text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
    };
    if letters(text) != letters(other) {
        return None;
    }
    let n_before = letters(text.get(..at)?).len();
    let places = other.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace());
    places.map(|(place, _)| place).nth(n_before)
}

#[cfg(test)]
mod tests {
    use super::same_place;

    #[test]
    fn white_space_does_not_move_an_operator() {
        assert_eq!(same_place(b"a  < b", 3, b"a<b"), Some(1));
        assert_eq!(same_place(b"a<b", 2, b"a <\n b"), Some(5));
        assert_eq!(same_place(b"N < b", 2, b"3 < b"), None);
    }
}
