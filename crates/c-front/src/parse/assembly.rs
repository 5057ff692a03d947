//! Inline assembly: which statements change nothing that C can see.
//!
//! gcc's manual ("Extended Asm"): a statement with operands changes its outputs and what it names as clobbered, other
//! memory only if it says "memory", and goes elsewhere only as `asm goto`. So these do nothing here:
//!
//! - an empty template whose outputs are all read as well (`"+r"`): they keep their values;
//! - instructions that are known to wait, to order memory accesses or to switch interrupts, without outputs;
//! - any straight instructions with operands, without outputs and without "memory". What they name in their text stays
//!   something that assembly may use, and proofs name that the instructions keep to it (`Presumption::Assembly`).
//!
//! Where tests can do without it (`replaces_assembly`), any other statement with operands gives its outputs what undefined functions return, so that they are inputs: what the
//! instructions do with registers is not known, and what they may do beyond is said by operands and clobbers. Where it may
//! change memory ("memory"), it is a call of an undefined function that gets the addresses among its inputs.
//!
//! Assembly without operands or with labels of C is not modeled, nor are operands whose evaluation does something.

use super::cursor::{Parse, Parser};
use super::expr::assignment;
use super::token::{Token, TokenKind};
use crate::span::Span;
use crate::tree::{AssemblyRole, AssemblyUse, Category, ExprId, StmtId, StmtKind, Unsupported};
use crate::ty::kind::TypeKind;
use crate::ty::table::TypeTable;

/// Instructions of x86, ARM, RISC-V, PowerPC and MIPS that change neither registers nor memory of a program.
const QUIET: [&str; 31] = [
    "cli",
    "cpsid",
    "cpsie",
    "csdb",
    "dmb",
    "dsb",
    "eieio",
    "esb",
    "fence",
    "fence.i",
    "hint",
    "isb",
    "isync",
    "lfence",
    "lwsync",
    "mfence",
    "nop",
    "nop.n",
    "nop.w",
    "pause",
    "sev",
    "sevl",
    "sfence",
    "ssnop",
    "sti",
    "sync",
    "wfe",
    "wfi",
    "wfit",
    "yield",
    "zihintpause",
];

/// The parts between colons.
#[derive(Debug, Default)]
struct Assembly {
    template: String,
    /// There is at least one colon.
    has_operands: bool,
    /// Constraints of the outputs.
    outputs: Vec<String>,
    clobbers_memory: bool,
    /// Evaluating an operand may change something.
    is_effectful: bool,
}

/// An operand that is read as C.
struct Operand {
    constraint: String,
    expr: ExprId,
    /// As it is written, macros replaced.
    text: String,
}

impl Assembly {
    fn is_empty(&self) -> bool {
        self.template.trim().is_empty()
    }

    fn keeps_outputs(&self) -> bool {
        self.outputs.iter().all(|constraint| constraint.starts_with('+'))
    }

    fn is_quiet(&self) -> bool {
        let mut instructions =
            self.template.split([';', '\n']).map(str::trim).filter(|it| !it.is_empty());
        instructions.all(|instruction| {
            let name = instruction.split_whitespace().next().unwrap_or_default();
            // `rep; nop` is how `pause` was written once.
            QUIET.contains(&name.to_ascii_lowercase().as_str())
                || instruction == "rep"
                || instruction == "rep nop"
        })
    }

    /// No label, and no place that could be jumped to.
    fn is_straight(&self) -> bool {
        !self.template.contains(':')
            && !self
                .template
                .split(|c: char| !"._$%".contains(c) && !c.is_alphanumeric())
                .any(|word| word == ".")
    }

    fn changes_nothing(&self) -> bool {
        if self.is_effectful {
            return false;
        }
        if self.is_empty() {
            return self.keeps_outputs();
        }
        self.outputs.is_empty()
            && (self.is_quiet() || self.has_operands && !self.clobbers_memory && self.is_straight())
    }
}

impl Parser<'_> {
    /// `asm` in a function.
    pub(super) fn assembly(&mut self, start: u32) -> Parse<StmtId> {
        let keyword = self.bump();
        let mut is_goto = false;
        while matches!(self.peek(), TokenKind::KwVolatile | TokenKind::KwInline | TokenKind::KwGoto)
        {
            is_goto |= self.bump().kind == TokenKind::KwGoto;
        }
        let first = self.position();
        self.skip_parentheses()?;
        let assembly = self.parts_of_assembly(first);
        // The labels are the last operands.
        let labels = if is_goto { self.names_after_last_colon(first) } else { Vec::new() };
        self.expect(TokenKind::Semicolon, "`;`")?;
        let span = self.span_from(start);
        if is_goto {
            return Ok(self.c.unsupported_jump(Unsupported::InlineAssembly, &labels, span));
        }
        let is_nothing = assembly.changes_nothing();
        if !assembly.is_quiet() {
            self.note_assembly_words(&assembly.template);
        }
        if is_nothing {
            let role = AssemblyRole::Replaced { outputs: Vec::new(), memory: None };
            self.note_assembly(keyword, role);
        } else if self.c.program.replaces_assembly
            && assembly.has_operands
            && !assembly.is_effectful
        {
            let end = self.position();
            self.rewind(first);
            let replaced = self.replaced_assembly(keyword, &assembly, span);
            self.rewind(end);
            if let Some(statement) = replaced? {
                self.c.program.opaque_assembly.insert(statement, span);
                return Ok(statement);
            }
        }
        let statement = self.c.assembly_statement(is_nothing, span);
        if is_nothing && !assembly.is_quiet() {
            self.c.program.opaque_assembly.insert(statement, span);
        }
        Ok(statement)
    }

    /// Remembers what stands for an `asm`, where tests have to know.
    fn note_assembly(&mut self, keyword: Token, role: AssemblyRole) {
        let (file, line) = self.line_of(keyword);
        let spelled = String::from_utf8_lossy(self.text_of(keyword)).into_owned();
        self.c.program.assembly.push(AssemblyUse { keyword: spelled, file, line, role });
    }

    /// Remembers every `asm` of the unit that is no modeled statement, those of headers of the system included.
    pub(crate) fn note_other_assembly(&mut self) {
        let all = self.all_tokens().iter().filter(|token| token.kind == TokenKind::KwAsm);
        for &keyword in all {
            let (file, line) = self.line_of(keyword);
            let is_it = |known: &AssemblyUse| known.line == line && known.file == file;
            if !self.c.program.assembly.iter().any(is_it) {
                self.note_assembly(keyword, AssemblyRole::Kept);
            }
        }
    }

    /// Statements that give the outputs anything; `None` where that cannot be said. The parser is at the parenthesis.
    fn replaced_assembly(
        &mut self,
        keyword: Token,
        assembly: &Assembly,
        span: Span,
    ) -> Parse<Option<StmtId>> {
        let (file, line) = self.line_of(keyword);
        // Tests tell statements apart by their lines.
        let is_same = |known: &AssemblyUse| {
            known.line == line && (known.file != file || known.role != AssemblyRole::Kept)
        };
        if self.c.program.assembly.iter().any(is_same) || self.is_in_system_header(keyword) {
            return Ok(None);
        }
        self.bump();
        while self.peek() != TokenKind::Colon {
            self.bump();
        }
        let outputs = self.assembly_operands()?;
        let inputs = self.assembly_operands()?;
        let prefix = format!("glassbox_assembly_{line}");
        let mut statements = Vec::new();
        let mut replaced = Vec::new();
        for (position, output) in outputs.iter().enumerate() {
            let ty = self.c.program.types.unqualified(self.c.ty(output.expr));
            let result = match self.c.program.types.kind(ty) {
                TypeKind::Int(_) => ty,
                TypeKind::Enum(_) => TypeTable::INT,
                TypeKind::Float(_) if self.c.unmodeled(ty).is_none() => ty,
                TypeKind::Pointer(_) => TypeTable::VOID_POINTER,
                TypeKind::Float(_)
                | TypeKind::Void
                | TypeKind::Complex(_)
                | TypeKind::Vector { .. }
                | TypeKind::Array { .. }
                | TypeKind::Record(_)
                | TypeKind::Function(_)
                | TypeKind::Error => return Ok(None),
            };
            if self.c.category(output.expr) != Category::Place {
                return Ok(None);
            }
            let name = format!("{prefix}_{position}");
            let function = self.c.outside_function(&name, result, Vec::new(), span);
            let value = self.c.call(function, Vec::new(), span);
            let assignment = self.c.assign(output.expr, value, span);
            statements.push(self.c.expression_statement(assignment, span));
            replaced.push((output.text.clone(), name));
        }
        let mut memory = None;
        if assembly.clobbers_memory {
            let mut addresses = Vec::new();
            let mut texts = Vec::new();
            for input in &inputs {
                let is_memory = input.constraint.contains(['m', 'o', 'Q', 'V']);
                let (expr, text) = if is_memory && self.c.category(input.expr) == Category::Place {
                    (self.c.address_of(input.expr, span), format!("&({})", input.text))
                } else {
                    (self.c.value(input.expr), input.text.clone())
                };
                if self.c.program.types.pointee(self.c.ty(expr)).is_some() {
                    addresses.push(expr);
                    texts.push(format!("(void *)({text})"));
                }
            }
            let name = format!("{prefix}_memory");
            let parameters = vec![TypeTable::VOID_POINTER; addresses.len()];
            let function = self.c.outside_function(&name, TypeTable::VOID, parameters, span);
            let call = self.c.call(function, addresses, span);
            statements.insert(0, self.c.expression_statement(call, span));
            memory = Some((name, texts));
        }
        self.note_assembly(keyword, AssemblyRole::Replaced { outputs: replaced, memory });
        Ok(Some(self.c.statement(StmtKind::Block(statements.into()), span)))
    }

    /// `: [name] "constraint" (expression), …`, up to the next colon or the end; nothing where there is no colon.
    fn assembly_operands(&mut self) -> Parse<Vec<Operand>> {
        let mut operands = Vec::new();
        if !self.eat(TokenKind::Colon) {
            return Ok(operands);
        }
        while !matches!(self.peek(), TokenKind::Colon | TokenKind::RParen | TokenKind::End) {
            if self.eat(TokenKind::LBracket) {
                self.bump();
                self.expect(TokenKind::RBracket, "`]`")?;
            }
            let mut constraint = String::new();
            while self.peek() == TokenKind::String {
                let token = self.bump();
                constraint.push_str(&String::from_utf8_lossy(self.text_of(token)));
            }
            self.expect(TokenKind::LParen, "`(`")?;
            let first = self.token();
            let expr = self.expression()?;
            let last = self.tokens_since(0).last().copied().unwrap_or(first);
            self.expect(TokenKind::RParen, "`)`")?;
            operands.push(Operand { constraint, expr, text: self.text_between(first, last) });
            self.eat(TokenKind::Comma);
        }
        Ok(operands)
    }

    /// Any word in assembly may be a symbol that it uses.
    pub(super) fn note_assembly_words(&mut self, text: &str) {
        let is_word = |character: char| character.is_alphanumeric() || character == '_';
        for word in text.split(|character| !is_word(character)) {
            // `\n` and `\t` may be unresolved: the word behind one counts with and without its letter.
            for word in [Some(word), word.get(1..)].into_iter().flatten() {
                let name = self.c.program.names.intern(word);
                self.c.program.limits.assembly_words.insert(name);
            }
        }
    }

    /// The assembly whose `(` is token `open` and whose `)` was read last.
    fn parts_of_assembly(&self, open: usize) -> Assembly {
        let inside = self.tokens_since(open);
        let inside = inside.get(1..inside.len().saturating_sub(1)).unwrap_or_default();
        let mut parts: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0u32;
        for &token in inside {
            match token.kind {
                TokenKind::LParen | TokenKind::LBracket => depth += 1,
                TokenKind::RParen | TokenKind::RBracket => depth = depth.saturating_sub(1),
                TokenKind::Colon if depth == 0 => {
                    parts.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            parts.last_mut().expect("there should be a first part").push(token);
        }
        let part = |index: usize| parts.get(index).map(Vec::as_slice).unwrap_or_default();
        let operands = || part(1).iter().chain(part(2));
        let does_something = |token: &Token| {
            assignment(token.kind).is_some()
                || matches!(token.kind, TokenKind::PlusPlus | TokenKind::MinusMinus)
        };
        let is_call = |pair: &[Token]| {
            pair[0].kind == TokenKind::Identifier && pair[1].kind == TokenKind::LParen
        };
        Assembly {
            template: self.strings(part(0)).join("").replace("\\n", "\n").replace("\\t", " "),
            has_operands: parts.len() > 1,
            outputs: self.strings(part(1)),
            clobbers_memory: self.strings(part(3)).iter().any(|clobber| clobber == "memory"),
            is_effectful: operands().any(does_something)
                || part(1).windows(2).chain(part(2).windows(2)).any(is_call),
        }
    }

    fn strings(&self, tokens: &[Token]) -> Vec<String> {
        let strings = tokens.iter().filter(|token| token.kind == TokenKind::String);
        let text = |token: &Token| String::from_utf8_lossy(self.text_of(*token)).into_owned();
        strings.map(|token| text(token).trim_matches('"').to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembly(template: &str, outputs: &[&str], clobbers_memory: bool) -> Assembly {
        let outputs = outputs.iter().map(|&text| text.to_owned()).collect();
        Assembly {
            template: template.to_owned(),
            has_operands: true,
            outputs,
            clobbers_memory,
            is_effectful: false,
        }
    }

    #[test]
    fn what_changes_nothing_is_known() {
        assert!(assembly("", &["+r", "+m"], true).changes_nothing());
        assert!(!assembly("", &["=r"], false).changes_nothing());
        assert!(assembly("cpsid i\n dsb; isb", &[], true).changes_nothing());
        assert!(assembly("rep; nop", &[], true).changes_nothing());
        assert!(assembly("msr primask, %0", &[], false).changes_nothing());
        assert!(!assembly("msr primask, %0", &[], true).changes_nothing());
        assert!(!assembly("mov %0, r0", &["=r"], false).changes_nothing());
        assert!(!assembly("1: b 1b", &[], false).changes_nothing());
        assert!(!assembly("jmp .", &[], false).changes_nothing());
        let basic = Assembly { has_operands: false, ..assembly("incl counter", &[], false) };
        assert!(!basic.changes_nothing());
    }
}
