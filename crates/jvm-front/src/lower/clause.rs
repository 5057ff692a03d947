//! Clauses of contracts: calls that assume what is required and check what is promised.

use glassbox_ir::instr::CompareOp;
use glassbox_ir::{CheckKind, FileId, FileOrigin, InstrKind, SourceFile, Span, Ty};

use super::emit::int;
use super::method::{Malformed, MethodLowering};
use crate::classfile::insn::{Code, Constant, Insn, InvokeKind, MemberRef};
use crate::descriptor::Kind;
use crate::world::MethodRef;

/// The simple name of the classes that contracts become.
pub const CONTRACTS: &str = "GlassboxContracts";

/// Whether a class was made from contracts.
pub(crate) fn is_of_contracts(class: &str) -> bool {
    class.rsplit('/').next() == Some(CONTRACTS)
}

/// The class that a call of `begin` in contracts initializes.
pub(crate) fn begun(code: &Code, label: usize) -> Option<String> {
    let Insn::Invoke(InvokeKind::Static, member) = code.insns.get(label)? else { return None };
    let Insn::Const(Constant::String(name)) = code.insns.get(label.checked_sub(1)?)? else {
        return None;
    };
    let is_it = &*member.name == "begin" && is_of_contracts(&member.class);
    is_it.then(|| String::from_utf16_lossy(name))
}

impl MethodLowering<'_> {
    /// `assume(holds, line, column, text, path)`, `ensure(…)`, `relation(…)` and `begin(class)`; `false` for every other
    /// call.
    pub(super) fn clause(&mut self, member: &MemberRef) -> Result<bool, Malformed> {
        if let Some(class) = begun(&self.code, self.label) {
            self.pop(Kind::Ref)?;
            if let Some(class) = self.cx.reached.world.known(&class) {
                self.initialize_from_outside(class)?;
            }
            return Ok(true);
        }
        let checked = match &*member.name {
            "assume" => None,
            "ensure" => Some(CheckKind::Assertion),
            "relation" => Some(CheckKind::Relation),
            _ => return Ok(false),
        };
        if !is_of_contracts(&member.class) {
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
        match checked {
            None => self.emit.push(InstrKind::Assume { condition }),
            Some(kind) => self.check(kind, condition, Some(shown)),
        }
        Ok(true)
    }

    /// Whoever calls the method has to keep to its contract.
    pub(super) fn check_requirement(&mut self) {
        let known = self.cx.requirements.get(&self.method).filter(|_| self.has_properties());
        let Some((judge, message)) = known.cloned() else { return };
        let Some(judge) = self.cx.function(judge) else { return };
        let n_params = self.cx.program.function(self.function).params.len();
        let args = (0..n_params).map(|index| self.emit.param(index)).collect();
        if let Some(holds) = self.emit.call(judge, args, Some(Ty::BOOL)) {
            self.check(CheckKind::Precondition, holds, Some(message));
        }
    }

    fn file_named(&mut self, path: &str) -> FileId {
        let files = &mut self.cx.program.files;
        let known = files.iter().position(|file| file.path == path);
        FileId::new(known.unwrap_or_else(|| {
            files.push(SourceFile::new(path.to_owned(), FileOrigin::User, None));
            files.len() - 1
        }))
    }
}

/// The methods of a contract, found.
#[derive(Debug, Clone)]
pub(crate) struct FoundContract {
    pub(crate) target: MethodRef,
    pub(crate) harness: MethodRef,
    /// Of a constructor: the method that stands for it in code.
    pub(crate) construction: Option<MethodRef>,
    /// What says whether a call is as it should be, and what it asks for in words.
    pub(crate) requirement: Option<(MethodRef, String)>,
    /// What compares calls, called as the method is.
    pub(crate) relations: Vec<MethodRef>,
}

/// A method that stands for a contract, and the method whose contract it is: class, name and descriptor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractMethod {
    pub target: (String, String, String),
    pub harness: (String, String, String),
    /// Of a constructor: a method with an object and its arguments, which runs it. Code cannot say that.
    pub construction: Option<(String, String, String)>,
    /// A method that says whether a call is as the contract requires, where it requires something.
    pub requirement: Option<Requirement>,
    /// Methods that compare calls, called as the method is.
    pub relations: Vec<(String, String, String)>,
    /// Where the contract begins, as messages show it.
    pub place: String,
}

/// What a contract requires of callers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    pub method: (String, String, String),
    /// In words.
    pub message: String,
}
