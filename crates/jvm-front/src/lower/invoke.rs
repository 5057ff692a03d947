//! Calls.

use std::rc::Rc;

use glassbox_ir::{FuncId, Operand};

use super::emit::zero;
use super::method::{Entry, Malformed, MethodLowering, malformed};
use crate::classfile::insn::{Constant, DynamicCall, Insn, InvokeKind, MemberRef, StackOp};
use crate::descriptor::{Kind, Signature};
use crate::reach::Target;

/// How the source spells operands, where that is known.
type Texts = Vec<Option<Rc<str>>>;

/// Arguments that are longer are not spelled out.
const MAX_ARGUMENTS: usize = 24;

/// `text.charAt(0)`; what is long or unknown is `…`.
fn call_text(owner: Option<&str>, member: &MemberRef, arguments: &[Option<Rc<str>>]) -> Rc<str> {
    if let Some(own) = unboxed(owner, member, arguments) {
        return own.into();
    }
    let name = &member.name;
    let spelled: Option<Vec<&str>> = arguments.iter().map(Option::as_deref).collect();
    let spelled = spelled.map(|texts| texts.join(", ")).filter(|it| it.len() <= MAX_ARGUMENTS);
    let arguments = spelled.unwrap_or_else(|| "…".to_owned());
    let is_short =
        |owner: &&str| *owner != "this" && !owner.contains(' ') && owner.len() <= MAX_ARGUMENTS;
    match owner.filter(is_short) {
        Some(owner) => format!("{owner}.{name}({arguments})").into(),
        None => format!("{name}({arguments})").into(),
    }
}

/// Classes of numbers that the compiler puts around values and takes off them.
const BOXES: [&str; 8] =
    ["Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"];

/// What the source says where the compiler has put a call that makes or opens a box.
fn unboxed<'a>(
    owner: Option<&'a str>,
    member: &MemberRef,
    arguments: &'a [Option<Rc<str>>],
) -> Option<&'a str> {
    let class = member.class.strip_prefix("java/lang/")?;
    let is_box = BOXES.contains(&class);
    match (&*member.name, arguments) {
        ("valueOf", [Some(only)]) if is_box && !member.descriptor.starts_with("(L") => Some(only),
        (name, []) if is_box && name.ends_with("Value") => owner,
        _ => None,
    }
}

impl MethodLowering<'_> {
    pub(super) fn invoke(&mut self, kind: InvokeKind, member: &MemberRef) -> Result<(), Malformed> {
        let Some(signature) = Signature::parse(&member.descriptor) else {
            return malformed("a method without a type");
        };
        if kind == InvokeKind::Static && self.clause(member)? {
            return Ok(());
        }
        if let Some(offset) = self.known_field_offset(member) {
            self.pop_args(&signature)?;
            self.pop_entry(Kind::Ref)?;
            self.push(Kind::Long, offset);
            return Ok(());
        }
        let (mut args, texts) = self.pop_args(&signature)?;
        let mut owner = None;
        if kind != InvokeKind::Static {
            let receiver: Entry = self.pop_entry(Kind::Ref)?;
            self.check_null(&receiver)?;
            args.insert(0, receiver.value);
            owner = receiver.text;
        }
        let made = self.cx.reached.dynamic.get(&(self.method, self.label)).copied();
        if let Some(function) = made.and_then(|method| self.cx.function(method)) {
            return self.call(function, args, &signature, None);
        }
        let target = self.cx.reached.target(self.method.class, kind, member);
        if let (Some(ty), Some(target)) = (&signature.result, &target)
            && self.leaves_result()
            && self.cx.reached.all_stand_aside(target)
        {
            self.cx.aside.insert(self.function);
            let nothing = zero(ty.ty());
            let nothing = self.emit.widen(ty, nothing);
            self.push_typed(ty, nothing, None);
            return Ok(());
        }
        let function = match target {
            None => None,
            Some(Target::Direct(method)) => {
                if kind == InvokeKind::Static {
                    self.initialize(method.class)?;
                }
                self.cx.function(method)
            }
            Some(Target::Virtual(key)) => self.cx.dispatcher(&key),
        };
        let Some(function) = function else {
            let class = member.class.replace('/', ".");
            let what = format!("a call of {class}.{}{}", member.name, member.descriptor);
            let what = format!("{what}, which no loaded class can run");
            match &signature.result {
                Some(ty) => return self.push_unsupported(&what, ty.kind()),
                None => {
                    self.emit.unsupported(&what, None);
                    return Ok(());
                }
            }
        };
        let text = self.is_own.then(|| call_text(owner.as_deref(), member, &texts));
        self.call(function, args, &signature, text)
    }

    /// Whether the next instruction throws the result of a call away.
    fn leaves_result(&self) -> bool {
        let next = self.code.insns.get(self.label + 1);
        matches!(next, Some(Insn::Stack(StackOp::Pop | StackOp::Pop2)))
    }

    /// `Unsafe.objectFieldOffset(C.class, "field")` is known here.
    fn known_field_offset(&self, member: &MemberRef) -> Option<Operand> {
        let is_it = &*member.class == "jdk/internal/misc/Unsafe"
            && &*member.name == "objectFieldOffset"
            && &*member.descriptor == "(Ljava/lang/Class;Ljava/lang/String;)J";
        if !is_it || self.label < 2 {
            return None;
        }
        let (Insn::Const(Constant::Class(class)), Insn::Const(Constant::String(field))) =
            (&self.code.insns[self.label - 2], &self.code.insns[self.label - 1])
        else {
            return None;
        };
        let field = String::from_utf16_lossy(field);
        let world = &self.cx.reached.world;
        let ty = world.known(class)?;
        let declared = world.info(ty).class()?.fields.iter().find(|info| *info.name == *field)?;
        let found = world.find_field(ty, &field, &declared.descriptor)?;
        let offset = self.cx.layouts.offset(found)?;
        Some(super::emit::long(i64::try_from(offset).ok()?))
    }

    /// The arguments of a call, and how the source spells them.
    fn pop_args(&mut self, signature: &Signature) -> Result<(Vec<Operand>, Texts), Malformed> {
        let (mut args, mut texts) = (Vec::new(), Vec::new());
        for ty in signature.params.iter().rev() {
            let entry = self.pop_entry(ty.kind())?;
            args.push(self.emit.narrow_to(ty, entry.value));
            texts.push(entry.text);
        }
        args.reverse();
        texts.reverse();
        Ok((args, texts))
    }

    fn call(
        &mut self,
        function: FuncId,
        args: Vec<Operand>,
        signature: &Signature,
        text: Option<Rc<str>>,
    ) -> Result<(), Malformed> {
        let result = signature.result.as_ref().map(|ty| ty.ty());
        let value = self.emit.call(function, args, result);
        if !self.cx.never_throws(function) {
            self.propagate(function)?;
        }
        if let (Some(value), Some(ty)) = (value, &signature.result) {
            let value = self.emit.widen(ty, value);
            self.push_typed(ty, value, text);
        }
        Ok(())
    }

    pub(super) fn invoke_dynamic(&mut self, call: &DynamicCall) -> Result<(), Malformed> {
        let Some(signature) = Signature::parse(&call.descriptor) else {
            return malformed("a dynamic call without a type");
        };
        let (args, _) = self.pop_args(&signature)?;
        let made = self.cx.reached.dynamic.get(&(self.method, self.label)).copied();
        if self.is_own && made.is_some_and(|made| self.cx.reached.lambdas.contains(&made.class)) {
            self.cx.lambda_makers.insert(self.function);
        }
        match made.and_then(|method| self.cx.function(method)) {
            Some(function) => self.call(function, args, &signature, None),
            None => {
                let bootstrap = &call.bootstrap.member;
                let what = format!(
                    "a dynamic call through {}.{}",
                    bootstrap.class.replace('/', "."),
                    bootstrap.name
                );
                match &signature.result {
                    Some(ty) => self.push_unsupported(&what, ty.kind()),
                    None => {
                        self.emit.unsupported(&what, None);
                        Ok(())
                    }
                }
            }
        }
    }
}
