//! Clauses of contracts: calls that assume what is required and check what is promised.

use glassbox_ir::instr::CompareOp;
use glassbox_ir::{CheckKind, FileId, FileOrigin, InstrKind, SourceFile, Span};

use super::emit::int;
use super::method::{Malformed, MethodLowering};
use crate::classfile::insn::{Constant, Insn, MemberRef};
use crate::descriptor::Kind;

/// The simple name of the classes that contracts become.
pub const CONTRACTS: &str = "GlassboxContracts";

/// Whether a class was made from contracts.
pub(crate) fn is_of_contracts(class: &str) -> bool {
    class.rsplit('/').next() == Some(CONTRACTS)
}

impl MethodLowering<'_> {
    /// `assume(holds, line, column, text, path)` and `ensure(…)`; `false` for every other call.
    pub(super) fn clause(&mut self, member: &MemberRef) -> Result<bool, Malformed> {
        let is_assumed = &*member.name == "assume";
        if !is_of_contracts(&member.class) || !(is_assumed || &*member.name == "ensure") {
            return Ok(false);
        }
        let before = |distance: usize| {
            let at = self.label.checked_sub(distance)?;
            let Insn::Const(constant) = self.code.insns.get(at)? else { return None };
            Some(constant.clone())
        };
        let text = |constant: Option<Constant>| match constant {
            Some(Constant::String(text)) => String::from_utf16_lossy(&text),
            _ => String::new(),
        };
        let number = |constant: Option<Constant>| match constant {
            Some(Constant::Int(number)) => u32::try_from(number).unwrap_or(1),
            _ => 1,
        };
        let (path, shown) = (text(before(1)), text(before(2)));
        let (column, line) = (number(before(3)), number(before(4)));
        self.pop(Kind::Ref)?;
        self.pop(Kind::Ref)?;
        self.pop(Kind::Int)?;
        self.pop(Kind::Int)?;
        let holds = self.pop(Kind::Int)?;
        let file = self.file_named(&path);
        self.emit.builder.set_span(Span::new(file, line, column, line, column + 1));
        let condition = self.emit.compare(CompareOp::Ne, holds, int(0));
        if is_assumed {
            self.emit.push(InstrKind::Assume { condition });
        } else {
            self.check(CheckKind::Assertion, condition, Some(shown));
        }
        Ok(true)
    }

    fn file_named(&mut self, path: &str) -> FileId {
        let files = &mut self.cx.program.files;
        let known = files.iter().position(|file| file.path == path);
        FileId::new(known.unwrap_or_else(|| {
            files.push(SourceFile { path: path.to_owned(), origin: FileOrigin::User, text: None });
            files.len() - 1
        }))
    }
}

/// A method that stands for a contract, and the method whose contract it is: class, name and descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractMethod {
    pub target: (String, String, String),
    pub harness: (String, String, String),
}
