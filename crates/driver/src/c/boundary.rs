//! Boundary goals as probes of replay: which comparisons to watch, and what each test should show there.

use glassbox_coverage::comparison::{parts, text_at};
use glassbox_coverage::{Goal, Relation};
use glassbox_ir::Program;
use glassbox_replay::{ComparisonSite, SeenRelation};
use glassbox_testcase::Test;

/// Comparisons and, by test, what it should show of them.
pub(super) fn watched(
    program: &Program,
    goals: &[Goal],
    tests: &[Test],
) -> (Vec<ComparisonSite>, Vec<Vec<(usize, SeenRelation)>>) {
    let mut sites: Vec<ComparisonSite> = Vec::new();
    let mut expected = vec![Vec::new(); tests.len()];
    for goal in goals {
        let Some(relation) = goal.relation else { continue };
        let known = sites.iter().position(|site| site.span == goal.span);
        let site = known.or_else(|| {
            sites.push(site(program, goal)?);
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

fn site(program: &Program, goal: &Goal) -> Option<ComparisonSite> {
    let parts = parts(&text_at(program, goal.span)?)?;
    Some(ComparisonSite {
        span: goal.span,
        left_end: parts.left_end,
        right_start: parts.right_start,
        operator: parts.op.text(),
    })
}
