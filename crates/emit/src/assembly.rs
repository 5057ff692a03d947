//! Inline assembly of the source under test: in tests, macros put calls of stubs in its place.
//!
//! No macro can read a statement, but one can stand where it begins: `__asm__` becomes `for (x = stub(); 0;) __asm__`, and what is
//! never executed is not assembled, so that code for other machines can be tested. Lines tell statements apart.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use glassbox_ir::{Program, ResultPassing};

use crate::c_type::declare;
use crate::unit_names::UnitNames;

/// Lines of one use of a macro that declares something.
const MOST_LINES: u32 = 8;

/// One `asm` of the unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssemblyLine {
    /// As it is spelled.
    pub keyword: String,
    pub line: u32,
    /// `None` where it stays as it is.
    pub replacement: Option<Replacement>,
}

/// What is done in the place of a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replacement {
    /// Places that are assigned to, and the functions that say what.
    pub outputs: Vec<(String, String)>,
    /// A function that may change memory, and its arguments.
    pub memory: Option<(String, Vec<String>)>,
}

impl Replacement {
    /// As the first part of a `for`.
    fn text(&self) -> String {
        let memory = self.memory.iter();
        let memory =
            memory.map(|(function, arguments)| format!("{function}({})", arguments.join(", ")));
        let outputs =
            self.outputs.iter().map(|(place, function)| format!("{place} = {function}()"));
        memory.chain(outputs).collect::<Vec<String>>().join(", ")
    }

    fn is_input(&self) -> bool {
        !self.outputs.is_empty() || self.memory.is_some()
    }

    fn functions(&self) -> impl Iterator<Item = &String> {
        let memory = self.memory.iter().map(|(function, _)| function);
        self.outputs.iter().map(|(_, function)| function).chain(memory)
    }
}

/// What stands in front of the source, and what behind it.
pub(crate) fn around(program: &Program, names: &UnitNames) -> (String, String) {
    let (mut before, mut behind) = (String::new(), String::new());
    // What does nothing may stay, unless another statement needs the macros.
    let is_needed = |it: &AssemblyLine| it.replacement.as_ref().is_some_and(Replacement::is_input);
    if !names.assembly.iter().any(is_needed) {
        return (before, behind);
    }
    before.push_str("/* Stubs stand in the place of assembly, which is never run. */\n");
    let replaced = names.assembly.iter().filter(|it| it.replacement.is_some());
    let keywords: BTreeSet<&str> = replaced.map(|it| it.keyword.as_str()).collect();
    let concerned = || names.assembly.iter().filter(|it| keywords.contains(it.keyword.as_str()));
    for function in
        names.assembly.iter().flat_map(|it| &it.replacement).flat_map(Replacement::functions)
    {
        if let Some(prototype) = prototype(program, function) {
            let _ = writeln!(before, "extern {prototype};");
        }
    }
    let mut lines: BTreeMap<u32, Vec<&AssemblyLine>> = BTreeMap::new();
    for it in concerned() {
        lines.entry(it.line).or_default().push(it);
    }
    // In a declaration that a macro makes, the line is that of the last argument.
    for kept in concerned().filter(|it| it.replacement.is_none()) {
        for line in kept.line + 1..=kept.line + MOST_LINES {
            lines.entry(line).or_insert_with(|| vec![kept]);
        }
    }
    for (line, all) in lines {
        let first = all[0];
        if all.iter().any(|it| it.replacement != first.replacement || it.keyword != first.keyword) {
            let _ = writeln!(before, "#error lines {line} of two files have different assembly");
        }
        let keyword = &first.keyword;
        let _ = match &first.replacement {
            Some(replacement) => writeln!(
                before,
                "#define GLASSBOX_ASSEMBLY_{line} for ({}; 0;) {keyword}",
                replacement.text()
            ),
            None => writeln!(before, "#define GLASSBOX_ASSEMBLY_{line} {keyword}"),
        };
    }
    before.push_str(
        "#define GLASSBOX_JOINED(name, line) name##line\n\
         #define GLASSBOX_AT_LINE(name, line) GLASSBOX_JOINED(name, line)\n",
    );
    for keyword in &keywords {
        let _ =
            writeln!(before, "#define {keyword} GLASSBOX_AT_LINE(GLASSBOX_ASSEMBLY_, __LINE__)");
        let _ = writeln!(behind, "#undef {keyword}");
    }
    (before, behind)
}

fn prototype(program: &Program, name: &str) -> Option<String> {
    let function = program.function(program.function_named(name)?);
    let n_hidden = usize::from(function.result == ResultPassing::Indirect);
    let params = function.params.iter().skip(n_hidden);
    let params: Vec<String> = params.map(|it| declare(program, it.source_type, "")).collect();
    let list = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    Some(declare(program, function.result_source_type, &format!("{name}({list})")))
}
