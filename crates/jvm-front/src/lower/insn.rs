//! One instruction: which family lowers it.

use std::rc::Rc;

use glassbox_ir::Operand;
use glassbox_ir::instr::BinaryOp;

use super::emit::{double_const, float_const, int, long};
use super::method::{Entry, Fact, Malformed, MethodLowering, malformed};
use crate::classfile::insn::{Constant, Insn, StackOp};
use crate::descriptor::Kind;
use crate::library::Thrower;

impl MethodLowering<'_> {
    pub(super) fn insn(&mut self, insn: &Insn) -> Result<(), Malformed> {
        match insn {
            Insn::Nop => Ok(()),
            Insn::Const(constant) => self.constant(constant),
            Insn::Load(kind, slot) => {
                self.load_slot(*slot, *kind);
                Ok(())
            }
            Insn::Store(kind, slot) => self.store_insn(*kind, *slot),
            Insn::ArrayLoad(element) => self.array_load(*element),
            Insn::ArrayStore(element) => self.array_store(*element),
            Insn::Stack(op) => self.stack_op(*op),
            Insn::Arith(op, kind) => self.arith(*op, *kind),
            Insn::Neg(kind) => self.negate(*kind),
            Insn::Increment(slot, by) => self.increment(*slot, *by),
            Insn::Convert(conversion) => self.convert(*conversion),
            Insn::Compare(comparison) => self.compare(*comparison),
            Insn::If(condition, target) => self.if_zero(*condition, *target),
            Insn::IfInts(condition, target) => self.if_ints(*condition, *target),
            Insn::IfSame(is_same, target) => self.if_same(*is_same, *target),
            Insn::IfNull(is_null, target) => self.if_null(*is_null, *target),
            Insn::Goto(target) => {
                let block = self.enter(*target)?;
                self.emit.jump(block);
                Ok(())
            }
            Insn::Jsr(target) => self.jsr(*target),
            Insn::Ret(slot) => self.ret_from_subroutine(*slot),
            Insn::Switch { cases, default } => self.switch(cases, *default),
            Insn::Return(kind) => self.return_insn(*kind),
            Insn::GetStatic(member) => self.get_static(member),
            Insn::PutStatic(member) => self.put_static(member),
            Insn::GetField(member) => self.get_field(member),
            Insn::PutField(member) => self.put_field(member),
            Insn::Invoke(kind, member) => self.invoke(*kind, member),
            Insn::InvokeDynamic(call) => self.invoke_dynamic(call),
            Insn::New(name) => self.new_object(name),
            Insn::NewPrimArray(prim) => self.new_array(&format!("[{}", prim.letter())),
            Insn::NewRefArray(name) => self.new_array(&crate::reach::array_of(name)),
            Insn::NewMultiArray(name, n_dimensions) => self.new_multi_array(name, *n_dimensions),
            Insn::ArrayLength => self.array_length(),
            Insn::Throw => self.throw_insn(),
            Insn::CheckCast(name) => self.check_cast(name),
            Insn::InstanceOf(name) => self.instance_of(name),
            // One thread runs: a monitor is always free. Null is noticed.
            Insn::MonitorEnter | Insn::MonitorExit => {
                let object = self.pop_entry(Kind::Ref)?;
                self.check_null(&object)
            }
        }
    }

    fn constant(&mut self, constant: &Constant) -> Result<(), Malformed> {
        let (kind, value, text) = match constant {
            Constant::Null => (Kind::Ref, Operand::NullPtr, "null".to_owned()),
            Constant::Int(value) => (Kind::Int, int(*value), value.to_string()),
            Constant::Long(value) => (Kind::Long, long(*value), format!("{value}L")),
            Constant::Float(bits) => {
                (Kind::Float, float_const(*bits), format!("{:?}f", f32::from_bits(*bits)))
            }
            Constant::Double(bits) => {
                (Kind::Double, double_const(*bits), format!("{:?}", f64::from_bits(*bits)))
            }
            Constant::String(text) => {
                let global = self.cx.string(text);
                let shown = format!("{:?}", String::from_utf16_lossy(text));
                return self.push_object(Operand::Global(global), Some(shown));
            }
            Constant::Class(name) => match self.cx.reached.world.known(name) {
                Some(ty) => {
                    let global = self.cx.class_object(ty);
                    return self.push_object(Operand::Global(global), None);
                }
                None => {
                    let what = format!("class {name}, which is not there");
                    return self.push_unsupported(&what, Kind::Ref);
                }
            },
            Constant::MethodType(_) | Constant::MethodHandle(_) => {
                return self.push_unsupported("method handles", Kind::Ref);
            }
            Constant::Dynamic(descriptor) => {
                let kind = crate::descriptor::Type::parse(descriptor).map(|ty| ty.kind());
                return self.push_unsupported("dynamic constants", kind.unwrap_or(Kind::Ref));
            }
        };
        let text = self.is_own.then(|| text.into());
        self.push_text(kind, value, text);
        Ok(())
    }

    fn push_object(&mut self, value: Operand, text: Option<String>) -> Result<(), Malformed> {
        let text = text.filter(|_| self.is_own).map(Rc::from);
        self.stack.push(Entry { value, kind: Kind::Ref, text, fact: Fact::NotNull });
        Ok(())
    }

    pub(super) fn push_unsupported(&mut self, what: &str, kind: Kind) -> Result<(), Malformed> {
        let value = self.emit.unsupported(what, Some(kind.ty()));
        self.push(kind, value.expect("a value was asked for"));
        Ok(())
    }

    /// Return addresses are ints here, and `astore` stores them too.
    fn store_insn(&mut self, kind: Kind, slot: u16) -> Result<(), Malformed> {
        let entry = self.pop_any()?;
        let is_address = kind == Kind::Ref && entry.kind == Kind::Int;
        if entry.kind != kind && !is_address {
            return malformed("a variable of the wrong type");
        }
        self.store_slot(slot, entry.kind, entry.value);
        Ok(())
    }

    fn increment(&mut self, slot: u16, by: i16) -> Result<(), Malformed> {
        let value = self.read_slot(slot, Kind::Int);
        self.mark_use(slot);
        self.check_overflow(BinaryOp::Add, value, int(by.into()));
        let sum = self.emit.binary(BinaryOp::Add, value, int(by.into()));
        self.store_slot(slot, Kind::Int, sum);
        Ok(())
    }

    fn stack_op(&mut self, op: StackOp) -> Result<(), Malformed> {
        // `take(n)` words as entries: one wide entry or narrow ones.
        match op {
            StackOp::Pop => {
                self.words(1)?;
            }
            StackOp::Pop2 => {
                self.words(2)?;
            }
            StackOp::Dup => self.duplicate(1, 0)?,
            StackOp::DupX1 => self.duplicate(1, 1)?,
            StackOp::DupX2 => self.duplicate(1, 2)?,
            StackOp::Dup2 => self.duplicate(2, 0)?,
            StackOp::Dup2X1 => self.duplicate(2, 1)?,
            StackOp::Dup2X2 => self.duplicate(2, 2)?,
            StackOp::Swap => {
                let top = self.words(1)?;
                let below = self.words(1)?;
                self.stack.extend(top);
                self.stack.extend(below);
            }
        }
        Ok(())
    }

    /// The top entries that take `n` words, bottom first.
    fn words(&mut self, n: usize) -> Result<Vec<Entry>, Malformed> {
        let mut taken = Vec::new();
        let mut n_words = 0;
        while n_words < n {
            let entry = self.pop_any()?;
            n_words += if entry.kind.is_wide() { 2 } else { 1 };
            taken.push(entry);
        }
        if n_words != n {
            return malformed("half of a long or double");
        }
        taken.reverse();
        Ok(taken)
    }

    /// Copies the top `n` words below the `below` words under them.
    fn duplicate(&mut self, n: usize, below: usize) -> Result<(), Malformed> {
        let top = self.words(n)?;
        let under = self.words(below)?;
        self.stack.extend(top.iter().cloned());
        self.stack.extend(under);
        self.stack.extend(top);
        Ok(())
    }

    fn return_insn(&mut self, kind: Option<Kind>) -> Result<(), Malformed> {
        let result = self.signature.result.clone();
        match (kind, result) {
            (None, None) => self.emit.ret(None),
            (Some(kind), Some(ty)) if ty.kind() == kind => {
                let value = self.pop(kind)?;
                let value = self.emit.narrow_to(&ty, value);
                self.emit.ret(Some(value));
            }
            _ => return malformed("a return of the wrong type"),
        }
        Ok(())
    }

    fn throw_insn(&mut self) -> Result<(), Malformed> {
        let exception = self.pop_entry(Kind::Ref)?;
        self.check_null(&exception)?;
        let pending = self.cx.pending;
        self.emit.store_global(pending, exception.value);
        self.begin_thrown(exception.value);
        let landing = self.landing()?;
        self.emit.jump(landing);
        Ok(())
    }

    /// Throws `NullPointerException` if the reference is null.
    pub(super) fn check_null(&mut self, entry: &Entry) -> Result<(), Malformed> {
        if matches!(entry.fact, Fact::NotNull) {
            return Ok(());
        }
        let is_null = self.emit.is_null(entry.value);
        self.throw_if(is_null, Thrower::NullPointer, Vec::new())
    }
}
