//! Decisions keep their structure.

use glassbox_c_front::lower::Promotion;
use glassbox_ir::{BranchOrigin, Decision, DecisionKind, Formula, Program, Terminator};

use super::lowered;

/// One line per decision of `f`: kind, formula, conditions.
fn decisions(text: &str) -> Vec<String> {
    let program = lowered(text, Promotion::Promote);
    let func = program.function_named("f").expect("f should be there");
    program.body(func).decisions.iter().map(shown).collect()
}

fn shown(decision: &Decision) -> String {
    let conditions: Vec<&str> = decision.conditions.iter().map(|c| c.text.as_str()).collect();
    format!("{:?} {} [{}]", decision.kind, formula(&decision.formula), conditions.join("; "))
}

fn formula(of: &Formula) -> String {
    match of {
        Formula::Condition(index) => format!("c{index}"),
        Formula::Not(inner) => format!("!{}", formula(inner)),
        Formula::And(l, r) => format!("({} && {})", formula(l), formula(r)),
        Formula::Or(l, r) => format!("({} || {})", formula(l), formula(r)),
    }
}

fn origins(program: &Program) -> Vec<BranchOrigin> {
    let func = program.function_named("f").expect("f should be there");
    let mut origins: Vec<BranchOrigin> = program
        .body(func)
        .blocks
        .iter()
        .filter_map(|block| {
            let Terminator::Branch { origin, .. } = block.terminator else { return None };
            origin
        })
        .collect();
    origins.sort_by_key(|origin| (origin.decision, origin.condition));
    origins
}

#[test]
fn conditions_are_the_leaves_of_the_formula() {
    assert_eq!(
        decisions("int f(int a, int b, int *p) { if (a > 1 && !(b || p)) return 1; return 0; }"),
        ["If (c0 && !(c1 || c2)) [a > 1; b; p]"]
    );
}

#[test]
fn every_steering_construct_is_a_decision() {
    let text = "int f(int a) { while (a < 3) a++; do a--; while (a > 0); for (; a != 5; a++) ; return a ? 1 : 2; }";
    assert_eq!(
        decisions(text),
        ["While c0 [a < 3]", "DoWhile c0 [a > 0]", "For c0 [a != 5]", "Ternary c0 [a]"]
    );
}

#[test]
fn logical_operators_used_as_values_are_decisions_and_comparisons_are_not() {
    let text = "int g(int); int f(int a, int b) { int x = a < b; int y = a && b; return g(!a) + (x == y); }";
    assert_eq!(decisions(text), ["Value (c0 && c1) [a; b]", "Value !c0 [a]"]);
}

#[test]
fn decisions_inside_conditions_are_their_own() {
    let text = "int g(int); int f(int a, int b) { if (g(a || b) > 2 && b) return 1; return 0; }";
    let mut found = decisions(text);
    found.sort();
    assert_eq!(found, ["If (c0 && c1) [g(a || b) > 2; b]", "Value (c0 || c1) [a; b]"]);
}

#[test]
fn constant_conditions_branch_too() {
    assert_eq!(decisions("int f(void) { while (1) { if (0) break; } }").len(), 2);
    let program =
        lowered("int f(void) { while (1) { if (0) break; } return 1; }", Promotion::Promote);
    assert_eq!(origins(&program).len(), 2);
}

#[test]
fn assertions_are_recognized_in_both_forms() {
    let declared = "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));";
    let ternary = format!(
        "{declared} int f(int a) {{ ((a > 0 && a < 9) ? (void)0 : __assert_fail(\"\", \"\", 1, \"\")); return a; }}"
    );
    assert_eq!(decisions(&ternary), ["Assertion (c0 && c1) [a > 0; a < 9]"]);
    let gnu = format!(
        "{declared} int f(int a) {{ ({{ if (a > 0) ; else __assert_fail(\"\", \"\", 1, \"\"); }}); return a; }}"
    );
    assert_eq!(decisions(&gnu), ["Assertion c0 [a > 0]"]);
}

#[test]
fn assumptions_are_no_decisions() {
    assert!(decisions("void __VERIFIER_assume(int); int f(int a, int b) { __VERIFIER_assume(a && b); return a; }").is_empty());
}

#[test]
fn branches_know_which_edge_settles_the_decision() {
    let program =
        lowered("int f(int a, int b) { if (a && !b) return 1; return 0; }", Promotion::Promote);
    let edges: Vec<(u16, Option<bool>, Option<bool>)> = origins(&program)
        .iter()
        .map(|origin| (origin.condition, origin.outcome_if_true, origin.outcome_if_false))
        .collect();
    assert_eq!(edges, [(0, None, Some(false)), (1, Some(false), Some(true))]);
}

#[test]
fn the_kinds_are_those_of_the_statements() {
    let program = lowered("int f(int a) { if (a) return 1; return 0; }", Promotion::Promote);
    let func = program.function_named("f").expect("f should be there");
    assert_eq!(program.body(func).decisions[0].kind, DecisionKind::If);
    assert_eq!(program.body(func).decisions[0].span.column, 20);
}
