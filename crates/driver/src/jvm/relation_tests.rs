//! Relations between calls in test classes: methods that make the calls and compare them, and tests that call those.

use glassbox_emit::java_test::RelationCall;
use glassbox_ir::FuncId;
use glassbox_testcase::NotCompared;

use super::Jvm;
use super::contract::NamedRelation;
use super::relation::{self, plain_names};
use super::relation_runtime::{arrays, place};

/// What a test class needs to compare calls.
pub(super) struct Written {
    pub(super) call: RelationCall,
    /// What the relation says, in words.
    pub(super) shown: String,
    /// Methods, each of which the class has once.
    pub(super) helpers: Vec<String>,
}

/// The relation that became a function.
fn find(jvm: &Jvm, relation: FuncId) -> Option<&NamedRelation> {
    let program = &jvm.java.program;
    let method = &program.methods[program.function(relation).method?.index()];
    jvm.contracts.as_ref()?.relations.iter().find(|known| known.name == method.name)
}

/// What its proofs leave out.
pub(super) fn not_compared(jvm: &Jvm, relation: FuncId) -> Vec<NotCompared> {
    let is_older = jvm.java.mutants.iter().flatten().any(|it| it.comparison == Some(relation));
    match find(jvm, relation) {
        Some(found) => found.relation.not_compared.clone(),
        None if is_older => jvm.older_left_out.clone(),
        None => Vec::new(),
    }
}

/// `relation_2_of_mid`: the relations of a method are numbered as they stand.
fn method_name(found: &NamedRelation) -> String {
    let number = found.name.rsplit('_').next().unwrap_or_default();
    format!("relation_{number}_of_{}", found.method)
}

/// What the test of a relation is called that has the input of another test.
pub(super) fn name(jvm: &Jvm, relation: FuncId, test: &str) -> String {
    let number = find(jvm, relation).and_then(|found| found.name.rsplit('_').next());
    format!("{test}_relation_{}", number.unwrap_or_default())
}

/// The relation for a test class; `fails` where the calls of the test do not agree.
pub(super) fn of(jvm: &Jvm, relation: FuncId, fails: bool) -> Option<Written> {
    let found = find(jvm, relation)?;
    let config = &jvm.contracts.as_ref()?.config;
    let (line, _) = config.place(found.relation.offset);
    let shown = found.relation.shown.clone();
    let text = &found.relation.test;
    // Overloaded methods have relations of the same name, which their parameters tell apart.
    let name = method_name(found);
    let method = plain_names(&relation::method(&found.declared, &name, &text.body));
    let comment = format!("    // {}:{line}: {}", config.path, shown.replace(['\n', '\r'], " "));
    let mut helpers =
        vec![format!("{comment}\n{}", indented(&format!("  private static {method}")))];
    let elements: Vec<&str> = text.elements.iter().map(String::as_str).collect();
    if !elements.is_empty() {
        let own = elements.iter().map(|element| arrays(element));
        let all = std::iter::once(place()).chain(own);
        helpers.extend(all.map(|text| indented(&plain_names(&text))));
    }
    let call = RelationCall { name, is_reflective: text.is_reflective, fails };
    Some(Written { call, shown, helpers })
}

/// Engines are given code that is indented by half as much.
fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let n_spaces = line.len() - line.trim_start().len();
        format!("{}{}", " ".repeat(n_spaces * 2), line.trim_start())
    });
    lines.map(|line| line + "\n").collect()
}
