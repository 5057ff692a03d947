//! What one method's code reaches.

use std::rc::Rc;

use super::{Reached, SiteKey};
use crate::classfile::insn::{ArithOp, Code, Constant, Insn, InvokeKind, MemberRef};
use crate::descriptor::{Kind, Type};
use crate::library::{Intrinsic, Thrower};
use crate::lower::begun;
use crate::world::{MethodRef, TypeRef};

/// What an `invoke` instruction calls.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Direct(MethodRef),
    Virtual(SiteKey),
}

impl Reached {
    pub(super) fn scan(&mut self, method: MethodRef, code: &Code) {
        for handler in &code.handlers {
            if let Some(class) = &handler.catch {
                let _ = self.world.load(class);
            }
        }
        for (label, insn) in code.insns.iter().enumerate() {
            if let Some(class) = begun(code, label) {
                if let Ok(class) = self.world.load(&class) {
                    self.initialize(class);
                }
            } else if !self.scan_enum_value_of(method, label, code) {
                self.scan_insn(method, label, insn);
            }
        }
    }

    /// Code asks whether an object is of this type.
    fn scan_test(&mut self, method: MethodRef, name: &str) {
        if self.world.info(method.class).owner.is_own() {
            self.expect_tested(name);
        } else {
            let _ = self.world.load(name);
        }
    }

    fn scan_insn(&mut self, method: MethodRef, label: usize, insn: &Insn) {
        match insn {
            Insn::Const(constant) => {
                if let Constant::Class(name) = constant {
                    self.scan_test(method, name);
                }
                self.scan_constant(constant);
            }
            Insn::Arith(ArithOp::Div | ArithOp::Rem, Kind::Int | Kind::Long) => {
                self.thrower(Thrower::Arithmetic);
            }
            Insn::ArrayLoad(_) => self.throwers(&[Thrower::NullPointer, Thrower::ArrayIndex]),
            Insn::ArrayStore(_) => {
                self.throwers(&[Thrower::NullPointer, Thrower::ArrayIndex, Thrower::ArrayStore]);
            }
            Insn::ArrayLength | Insn::Throw | Insn::MonitorEnter | Insn::MonitorExit => {
                self.thrower(Thrower::NullPointer);
            }
            Insn::GetStatic(member) | Insn::PutStatic(member) => {
                if let Ok(class) = self.world.load(&member.class)
                    && let Some(field) =
                        self.world.find_field(class, &member.name, &member.descriptor)
                {
                    self.initialize(field.class);
                    if let Some(constant) = self.world.field(field).constant.clone() {
                        self.scan_constant(&constant);
                    }
                }
                self.mention(&member.descriptor);
            }
            Insn::GetField(member) | Insn::PutField(member) => {
                let _ = self.world.load(&member.class);
                self.thrower(Thrower::NullPointer);
            }
            Insn::Invoke(kind, member) => self.scan_invoke(method, *kind, member),
            Insn::InvokeDynamic(call) => self.scan_dynamic(method, label, &Rc::clone(call)),
            Insn::New(name) => {
                if let Ok(class) = self.world.load(name) {
                    self.instantiate(class);
                    self.initialize(class);
                }
            }
            Insn::NewPrimArray(prim) => self.scan_array(&format!("[{}", prim.letter())),
            Insn::NewRefArray(name) => self.scan_array(&array_of(name)),
            Insn::NewMultiArray(name, n_dimensions) => {
                for depth in 0..usize::from(*n_dimensions) {
                    self.scan_array(&name[depth..]);
                }
            }
            Insn::CheckCast(name) => {
                self.scan_test(method, name);
                self.thrower(Thrower::ClassCast);
            }
            Insn::InstanceOf(name) => self.scan_test(method, name),
            Insn::Nop
            | Insn::Load(..)
            | Insn::Store(..)
            | Insn::Stack(_)
            | Insn::Arith(..)
            | Insn::Neg(_)
            | Insn::Increment(..)
            | Insn::Convert(_)
            | Insn::Compare(_)
            | Insn::If(..)
            | Insn::IfInts(..)
            | Insn::IfSame(..)
            | Insn::IfNull(..)
            | Insn::Goto(_)
            | Insn::Jsr(_)
            | Insn::Ret(_)
            | Insn::Switch { .. }
            | Insn::Return(_) => {}
        }
    }

    /// A call of `Enum.valueOf` with a class constant; true when it was one.
    fn scan_enum_value_of(&mut self, method: MethodRef, label: usize, code: &Code) -> bool {
        let Insn::Invoke(InvokeKind::Static, member) = &code.insns[label] else { return false };
        let descriptor = "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;";
        let is_it = &*member.class == "java/lang/Enum"
            && &*member.name == "valueOf"
            && &*member.descriptor == descriptor;
        if !is_it || label < 2 {
            return false;
        }
        let Insn::Const(Constant::Class(class)) = &code.insns[label - 2] else { return false };
        match self.make_enum_value_of(method, class) {
            Some(made) => {
                self.dynamic.insert((method, label), made);
                self.add_method(made);
                true
            }
            None => false,
        }
    }

    fn throwers(&mut self, throwers: &[Thrower]) {
        for &thrower in throwers {
            self.thrower(thrower);
        }
    }

    /// Loads the class of a field's or variable's type.
    fn mention(&mut self, descriptor: &str) {
        if let Some(Type::Ref(name)) = Type::parse(descriptor) {
            let _ = self.world.load(&name);
        }
    }

    pub(super) fn scan_constant(&mut self, constant: &Constant) {
        match constant {
            Constant::String(_) => self.use_strings(),
            Constant::Class(name) => {
                if let Ok(ty) = self.world.load(name) {
                    self.class_constants.insert(ty);
                }
                self.use_class_objects();
            }
            Constant::Null
            | Constant::Int(_)
            | Constant::Long(_)
            | Constant::Float(_)
            | Constant::Double(_)
            | Constant::MethodType(_)
            | Constant::MethodHandle(_)
            | Constant::Dynamic(_) => {}
        }
    }

    /// String constants are objects that are there from the start.
    pub(crate) fn use_strings(&mut self) {
        for name in ["java/lang/String", "[B", "[C"] {
            if let Ok(ty) = self.world.load(name) {
                self.instantiate(ty);
                self.initialize(ty);
            }
        }
    }

    /// Objects of `java.lang.Class`, which know their names.
    pub(crate) fn use_class_objects(&mut self) {
        self.use_strings();
        if let Ok(class) = self.world.load("java/lang/Class") {
            self.instantiate(class);
        }
    }

    fn scan_array(&mut self, name: &str) {
        if let Ok(ty) = self.world.load(name) {
            self.instantiate(ty);
        }
        self.throwers(&[Thrower::NegativeArraySize, Thrower::OutOfMemory]);
    }

    fn scan_invoke(&mut self, method: MethodRef, kind: InvokeKind, member: &MemberRef) {
        if kind != InvokeKind::Static {
            self.thrower(Thrower::NullPointer);
        }
        match self.target(method.class, kind, member) {
            Some(Target::Direct(target)) => {
                self.add_method(target);
                if kind == InvokeKind::Static {
                    self.initialize(target.class);
                }
            }
            Some(Target::Virtual(key)) => {
                self.add_site(key);
            }
            None => {}
        }
    }

    /// What an `invoke` in code of `host` calls; `None` when the method is not there.
    pub(crate) fn target(
        &mut self,
        host: TypeRef,
        kind: InvokeKind,
        member: &MemberRef,
    ) -> Option<Target> {
        let class = self.world.load(&member.class).ok()?;
        let world = &self.world;
        let found = world.find_method(class, &member.name, &member.descriptor)?;
        let access = world.method(found).access;
        match kind {
            InvokeKind::Static => access.is_static().then_some(Target::Direct(found)),
            InvokeKind::Special => {
                // `super.m()` starts above the class of the code, which matters for old class files.
                let is_super = &*member.name != "<init>"
                    && !access.is_private()
                    && !world.is_interface(class)
                    && host != class
                    && world.is_subtype(host, class);
                let start = if is_super { world.info(host).superclass? } else { class };
                let found = if is_super {
                    world.select_virtual(start, &member.name, &member.descriptor)?
                } else {
                    found
                };
                let is_fit = !world.method(found).access.is_static();
                is_fit.then_some(Target::Direct(found))
            }
            InvokeKind::Virtual | InvokeKind::Interface => {
                if access.is_static() {
                    return None;
                }
                let is_final = access.is_private()
                    || access.is_final()
                    || world.info(class).class().is_some_and(|class| class.access.is_final());
                if is_final && !access.is_abstract() {
                    return Some(Target::Direct(found));
                }
                let (name, descriptor) = (Rc::clone(&member.name), Rc::clone(&member.descriptor));
                Some(Target::Virtual(SiteKey { class, name, descriptor }))
            }
        }
    }

    pub(super) fn scan_intrinsic(&mut self, intrinsic: Intrinsic) {
        self.throwers(intrinsic.throwers());
        match intrinsic {
            Intrinsic::GetClass => {
                self.uses_get_class = true;
                self.use_class_objects();
            }
            Intrinsic::SystemInit => {
                if let Ok(class) = self.world.load("java/io/PrintStream") {
                    self.instantiate(class);
                }
            }
            Intrinsic::NewArray
            | Intrinsic::AssertionStatus
            | Intrinsic::IsPrimitive
            | Intrinsic::PrimitiveClass
            | Intrinsic::Superclass
            | Intrinsic::FieldOffset => {
                self.use_class_objects();
            }
            Intrinsic::EnumConstants => self.uses_enum_constants = true,
            Intrinsic::LanguageAccess | Intrinsic::CollectionAccess => {
                if let Some(class) = self.access_class(intrinsic) {
                    self.instantiate(class);
                }
            }
            Intrinsic::Zero
            | Intrinsic::One
            | Intrinsic::First
            | Intrinsic::Opaque
            | Intrinsic::ArrayCopy
            | Intrinsic::IdentityHash
            | Intrinsic::Clone
            | Intrinsic::Reinterpret
            | Intrinsic::BitsOfOneNan
            | Intrinsic::FloatUnary(_)
            | Intrinsic::FloatBinary(_)
            | Intrinsic::Fma
            | Intrinsic::IsArray
            | Intrinsic::OwnConstants
            | Intrinsic::Notify
            | Intrinsic::Unsafe(_) => {}
        }
    }
}

/// The array type whose elements are of this class or array type.
pub(crate) fn array_of(element: &str) -> String {
    if element.starts_with('[') { format!("[{element}") } else { format!("[L{element};") }
}
