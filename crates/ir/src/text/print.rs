//! Printing programs and bodies.

use std::fmt::{self, Write};

use super::names::Named;
use super::print_instr::{write_instr, write_operand};
use super::print_types::write_source_type;
use crate::block::{BranchOrigin, Target, Terminator};
use crate::decision::Formula;
use crate::func::{Body, Function, Linkage, Origin, Passing, ResultPassing};
use crate::global::{Global, GlobalKind, RelocationTarget};
use crate::id::FuncId;
use crate::language::Language;
use crate::program::Program;
use crate::source::{FileOrigin, Span};
use crate::ty::PointerSize;

/// The whole program as text.
pub fn print_program(program: &Program) -> String {
    let mut out = String::new();
    write_program(&mut out, program).expect("writing to a string should not fail");
    out
}

/// One function as text, as it stands in `print_program`.
pub fn print_function(program: &Program, func: FuncId) -> String {
    let mut out = String::new();
    write_function(&mut out, func, program.function(func))
        .expect("writing to a string should not fail");
    out
}

/// A string literal with escapes for quotes, backslashes and controls.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

pub(super) fn write_span(out: &mut String, span: Span) -> fmt::Result {
    if span.is_nowhere() {
        return Ok(());
    }
    let Span { file, line, column, end_line, end_column, part } = span;
    write!(out, " @{}:{line}:{column}-{end_line}:{end_column}", file.index())?;
    if part == 0 { Ok(()) } else { write!(out, "+{part}") }
}

fn write_program(out: &mut String, program: &Program) -> fmt::Result {
    let language = match program.language {
        Language::C => "c",
        Language::Java => "java",
        Language::Rules => "rules",
    };
    writeln!(out, "language {language}")?;
    if program.pointers != PointerSize::default() {
        writeln!(out, "pointers {}", program.pointers.bytes())?;
    }
    for (index, file) in program.files.iter().enumerate() {
        let origin = match file.origin {
            FileOrigin::User => "",
            FileOrigin::System => " system",
            FileOrigin::Model => " model",
        };
        writeln!(out, "file{index} = {}{origin}", quoted(&file.path))?;
    }
    for (index, ty) in program.source_types().iter().enumerate() {
        write!(out, "type{index} = ")?;
        write_source_type(out, ty)?;
        out.push('\n');
    }
    write_classes(out, program)?;
    for (index, global) in program.globals.iter().enumerate() {
        write!(out, "global{index} = ")?;
        write_global(out, global)?;
    }
    for func in program.function_ids() {
        write_function(out, func, program.function(func))?;
    }
    Ok(())
}

fn write_classes(out: &mut String, program: &Program) -> fmt::Result {
    for (index, class) in program.classes.iter().enumerate() {
        write!(out, "class{index} = {}", quoted(&class.name))?;
        if let Some(superclass) = class.superclass {
            write!(out, " super {superclass}")?;
        }
        for interface in &class.interfaces {
            write!(out, " implements {interface}")?;
        }
        if class.is_interface {
            out.push_str(" interface");
        }
        if class.is_abstract {
            out.push_str(" abstract");
        }
        for field in &class.fields {
            write!(out, " {field}")?;
        }
        for method in &class.methods {
            write!(out, " {method}")?;
        }
        if let Some(initializer) = class.initializer {
            write!(out, " init {initializer}")?;
        }
        out.push('\n');
    }
    for (index, field) in program.fields.iter().enumerate() {
        write!(out, "field{index} = {} {}", field.class, quoted(&field.name))?;
        write!(out, " {} {}", field.ty, field.source_type)?;
        out.push_str(if field.is_static { " static" } else { "" });
        out.push_str(if field.is_final { " final" } else { "" });
        out.push('\n');
    }
    for (index, method) in program.methods.iter().enumerate() {
        write!(out, "method{index} = {} {}", method.class, quoted(&method.name))?;
        write!(out, " {}", quoted(&method.descriptor))?;
        out.push_str(if method.is_static { " static" } else { "" });
        out.push_str(if method.is_abstract { " abstract" } else { "" });
        if let Some(function) = method.function {
            write!(out, " {function}")?;
        }
        out.push('\n');
    }
    Ok(())
}

fn linkage_name(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "external",
        Linkage::Internal => "internal",
    }
}

fn write_global(out: &mut String, global: &Global) -> fmt::Result {
    write!(out, "{}", quoted(&global.name))?;
    match global.kind {
        GlobalKind::Variable => out.push_str(" variable"),
        GlobalKind::StaticLocal(func) => write!(out, " static_local {func}")?,
        GlobalKind::StringLiteral => out.push_str(" string_literal"),
        GlobalKind::LibraryState => out.push_str(" library_state"),
        GlobalKind::StaticField(field) => write!(out, " static_field {field}")?,
        GlobalKind::Runtime => out.push_str(" runtime"),
        GlobalKind::CompoundLiteral => out.push_str(" compound_literal"),
        GlobalKind::Register(address) => write!(out, " register {address}")?,
    }
    write!(out, " {} {}", linkage_name(global.linkage), global.source_type)?;
    write!(out, " size {} align {}", global.size, global.align)?;
    out.push_str(if global.is_const { " const" } else { "" });
    if let Some(initializer) = &global.initializer {
        out.push_str(" init \"");
        for byte in &initializer.bytes {
            write!(out, "{byte:02x}")?;
        }
        out.push('"');
        for relocation in &initializer.relocations {
            write!(out, " at {} ", relocation.offset)?;
            match relocation.target {
                RelocationTarget::Global(id) => write!(out, "{id}")?,
                RelocationTarget::Func(id) => write!(out, "{id}")?,
            }
            write!(out, " plus {}", relocation.addend)?;
        }
    }
    write_span(out, global.span)?;
    out.push('\n');
    Ok(())
}

fn write_function(out: &mut String, func: FuncId, function: &Function) -> fmt::Result {
    write!(out, "{func} = {} {}", quoted(&function.name), linkage_name(function.linkage))?;
    out.push_str(" (");
    for (position, param) in function.params.iter().enumerate() {
        let comma = if position == 0 { "" } else { ", " };
        let passing = match param.passing {
            Passing::Direct => "",
            Passing::Indirect => " indirect",
        };
        write!(out, "{comma}{}{passing} {}", param.ty, param.source_type)?;
        write!(out, " {}", quoted(&param.name))?;
    }
    out.push_str(") -> ");
    match function.result {
        ResultPassing::Void => out.push_str("void"),
        ResultPassing::Direct(ty) => write!(out, "{ty}")?,
        ResultPassing::Indirect => out.push_str("indirect"),
    }
    write!(out, " {}", function.result_source_type)?;
    out.push_str(if function.is_variadic { " variadic" } else { "" });
    out.push_str(if function.is_noreturn { " noreturn" } else { "" });
    if let Some(method) = function.method {
        write!(out, " {method}")?;
    }
    write_function_origin(out, function.origin)?;
    write_span(out, function.span)?;
    match &function.body {
        None => out.push('\n'),
        Some(body) => {
            out.push_str(" {\n");
            write_body(out, body)?;
            out.push_str("}\n");
        }
    }
    Ok(())
}

fn write_function_origin(out: &mut String, origin: Origin) -> fmt::Result {
    match origin {
        Origin::User => Ok(()),
        Origin::System => write!(out, " origin system"),
        Origin::LibraryModel => write!(out, " origin library_model"),
        Origin::Harness { of } => write!(out, " origin harness {of}"),
        Origin::Requirement { of } => write!(out, " origin requirement {of}"),
        Origin::Promise { of } => write!(out, " origin promise {of}"),
        Origin::Relation { of } => write!(out, " origin relation {of}"),
        Origin::Variant { of } => write!(out, " origin variant {of}"),
        Origin::StandIn => write!(out, " origin stand_in"),
        Origin::Runtime => write!(out, " origin runtime"),
    }
}

fn write_body(out: &mut String, body: &Body) -> fmt::Result {
    for (index, var) in body.vars.iter().enumerate() {
        write!(out, "  var{index} = {} {}", quoted(&var.name), var.source_type)?;
        if let Some(param) = var.param {
            write!(out, " param {param}")?;
        }
        if let Some(local) = var.local {
            write!(out, " {local}")?;
        }
        write_span(out, var.span)?;
        out.push('\n');
    }
    for (index, local) in body.locals.iter().enumerate() {
        write!(out, "  local{index} = {} {}", quoted(&local.name), local.source_type)?;
        write!(out, " size {} align {}", local.size, local.align)?;
        if let Some(var) = local.var {
            write!(out, " {var}")?;
        }
        write_span(out, local.span)?;
        out.push('\n');
    }
    for (index, decision) in body.decisions.iter().enumerate() {
        write!(out, "  d{index} = {} ", decision.kind.name())?;
        write_formula(out, &decision.formula)?;
        out.push_str(" {");
        for (position, condition) in decision.conditions.iter().enumerate() {
            out.push_str(if position == 0 { " " } else { ", " });
            out.push_str(&quoted(&condition.text));
            write_span(out, condition.span)?;
        }
        out.push_str(" }");
        write_span(out, decision.span)?;
        out.push('\n');
    }
    for id in body.block_ids() {
        let block = body.block(id);
        write!(out, "{id}(")?;
        for (position, param) in block.params.iter().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(out, "{comma}{param}: {}", body.value_ty(*param))?;
        }
        out.push_str("):\n");
        for instr in &block.instrs {
            out.push_str("  ");
            write_instr(out, body, instr)?;
            write_span(out, instr.span)?;
            out.push('\n');
        }
        out.push_str("  ");
        write_terminator(out, &block.terminator)?;
        write_span(out, block.terminator_span)?;
        out.push('\n');
    }
    Ok(())
}

fn write_formula(out: &mut String, formula: &Formula) -> fmt::Result {
    match formula {
        Formula::Condition(index) => write!(out, "c{index}"),
        Formula::Not(inner) => {
            out.push_str("(not ");
            write_formula(out, inner)?;
            out.push(')');
            Ok(())
        }
        Formula::And(lhs, rhs) | Formula::Or(lhs, rhs) => {
            let is_and = matches!(formula, Formula::And(..));
            out.push_str(if is_and { "(and " } else { "(or " });
            write_formula(out, lhs)?;
            out.push(' ');
            write_formula(out, rhs)?;
            out.push(')');
            Ok(())
        }
    }
}

fn write_target(out: &mut String, target: &Target) -> fmt::Result {
    write!(out, "{}(", target.block)?;
    for (position, &arg) in target.args.iter().enumerate() {
        out.push_str(if position == 0 { "" } else { ", " });
        write_operand(out, arg)?;
    }
    out.push(')');
    Ok(())
}

fn write_origin(out: &mut String, origin: BranchOrigin) -> fmt::Result {
    let outcome = |outcome: Option<bool>| match outcome {
        Some(true) => "true",
        Some(false) => "false",
        None => "open",
    };
    write!(
        out,
        " {} c{} {} {} {}",
        origin.decision,
        origin.condition,
        if origin.is_positive { "positive" } else { "negative" },
        outcome(origin.outcome_if_true),
        outcome(origin.outcome_if_false),
    )
}

fn write_terminator(out: &mut String, terminator: &Terminator) -> fmt::Result {
    match terminator {
        Terminator::Jump(target) => {
            out.push_str("jump ");
            write_target(out, target)
        }
        Terminator::Branch { condition, if_true, if_false, origin } => {
            out.push_str("branch ");
            write_operand(out, *condition)?;
            out.push_str(", ");
            write_target(out, if_true)?;
            out.push_str(", ");
            write_target(out, if_false)?;
            origin.map_or(Ok(()), |origin| write_origin(out, origin))
        }
        Terminator::Switch { value, cases, default } => {
            out.push_str("switch ");
            write_operand(out, *value)?;
            for case in cases {
                out.push_str(", case ");
                write_operand(out, case.low.into())?;
                out.push(' ');
                write_operand(out, case.high.into())?;
                out.push(' ');
                write_target(out, &case.target)?;
                write_span(out, case.span)?;
            }
            out.push_str(", default ");
            write_target(out, default)
        }
        Terminator::Return(None) => {
            out.push_str("return");
            Ok(())
        }
        Terminator::Return(Some(value)) => {
            out.push_str("return ");
            write_operand(out, *value)
        }
        Terminator::Unreachable => {
            out.push_str("unreachable");
            Ok(())
        }
    }
}
