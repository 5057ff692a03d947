//! Inline assembly: which statements change nothing that C can see.
//!
//! gcc's manual ("Extended Asm"): a statement with operands changes its outputs and what it names as clobbered, other
//! memory only if it says "memory", and goes elsewhere only as `asm goto`. So these do nothing here:
//!
//! - an empty template whose outputs are all read as well (`"+r"`): they keep their values;
//! - instructions that are known to wait, to order memory accesses or to switch interrupts, without outputs;
//! - any straight instructions with operands, without outputs and without "memory". What they name in their text stays
//!   something that assembly may use.
//!
//! Everything else is not modeled, and so are operands whose evaluation does something.

use super::cursor::{Parse, Parser};
use super::expr::assignment;
use super::token::{Token, TokenKind};
use crate::tree::{StmtId, Unsupported};

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
        self.bump();
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
        if is_nothing && !assembly.is_quiet() {
            self.note_assembly_words(&assembly.template);
        }
        Ok(self.c.assembly_statement(is_nothing, span))
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
