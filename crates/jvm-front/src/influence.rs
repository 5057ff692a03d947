//! Which calls may change what others read: the places that methods read and write, with all that they call.
//!
//! Two calls that share no place do not influence each other, so that no sequence needs one for the sake of the
//! other, and what holds of the second alone holds behind the first (den Hollander, Automatic Unit Test Generation,
//! 2010, section 4.2: define-use and store-load pairs). Only code of the user is looked into; a call of the library may read
//! and write whatever objects of the library and arrays hold, and may call methods of the user that it knows.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use glassbox_ir::FuncId;

use crate::classfile::insn::{Constant, DynamicCall, Element, Insn, InvokeKind, MemberRef};
use crate::descriptor::{Signature, Type};
use crate::reach::Reached;
use crate::world::{FieldRef, MethodRef, TypeRef};

/// A place whose contents matter to somebody else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Location {
    Field(FieldRef),
    /// Elements of arrays, by their type.
    Elements(Element),
    /// Whatever objects of the library hold.
    Library,
}

impl Location {
    /// Whether both may be the same place; the library reaches into arrays.
    fn may_be(self, other: Location) -> bool {
        match (self, other) {
            (Location::Library, Location::Elements(_) | Location::Library)
            | (Location::Elements(_), Location::Library) => true,
            (Location::Field(one), Location::Field(other)) => one == other,
            (Location::Elements(one), Location::Elements(other)) => one == other,
            (Location::Field(_), Location::Elements(_) | Location::Library)
            | (Location::Elements(_) | Location::Library, Location::Field(_)) => false,
        }
    }
}

/// What running a method may read, write and call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    reads: BTreeSet<Location>,
    writes: BTreeSet<Location>,
    /// Methods of the user.
    calls: BTreeSet<MethodRef>,
}

impl Effects {
    /// Whether running the first may change what the second reads.
    pub(crate) fn may_change(&self, other: &Effects) -> bool {
        let reads = || other.reads.iter();
        self.writes.iter().any(|write| reads().any(|read| write.may_be(*read)))
    }

    pub(crate) fn may_call(&self, method: MethodRef) -> bool {
        self.calls.contains(&method)
    }

    fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.calls.extend(&other.calls);
    }
}

/// The effects of the methods under test.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Influences {
    by_function: BTreeMap<FuncId, (MethodRef, Effects)>,
}

impl Influences {
    pub(crate) fn new(all: impl IntoIterator<Item = (FuncId, MethodRef, Effects)>) -> Influences {
        let by_function = all.into_iter().map(|(id, method, effects)| (id, (method, effects)));
        Influences { by_function: by_function.collect() }
    }

    /// Whether running `caller` may change what `callee` reads. What is not known may.
    pub fn may_change(&self, caller: FuncId, callee: FuncId) -> bool {
        match (self.by_function.get(&caller), self.by_function.get(&callee)) {
            (Some((_, caller)), Some((_, callee))) => caller.may_change(callee),
            _ => true,
        }
    }

    /// Whether running `caller` may run `callee`, another method.
    pub fn may_call(&self, caller: FuncId, callee: FuncId) -> bool {
        match (self.by_function.get(&caller), self.by_function.get(&callee)) {
            (Some((_, effects)), Some((method, _))) => effects.calls.contains(method),
            _ => false,
        }
    }

    /// Whether a method may be called while it runs.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.by_function
            .get(&function)
            .is_none_or(|(method, effects)| effects.calls.contains(method))
    }
}

/// Effects of methods, found when they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// Of a method's own code.
    own: BTreeMap<MethodRef, Effects>,
    callbacks: Option<Vec<MethodRef>>,
    lambdas: Option<Vec<MethodRef>>,
}

impl Analysis {
    /// What a method and everything that it may call does.
    pub(crate) fn effects(&mut self, reached: &mut Reached, method: MethodRef) -> Effects {
        let mut all = Effects::default();
        let mut seen = BTreeSet::from([method]);
        let mut open = vec![method];
        while let Some(method) = open.pop() {
            if !self.own.contains_key(&method) {
                let found = self.of_code(reached, method);
                self.own.insert(method, found);
            }
            let own = &self.own[&method];
            open.extend(own.calls.iter().copied().filter(|&callee| seen.insert(callee)));
            all.add(own);
        }
        all
    }

    fn of_code(&mut self, reached: &mut Reached, method: MethodRef) -> Effects {
        let world = &reached.world;
        let declared = world.method(method).clone();
        let file = world.info(method.class).class().map(Rc::clone);
        let code = file.and_then(|file| file.code(&declared).ok().flatten());
        let mut found = Effects::default();
        // Fields that nothing has been stored to have a value all the same.
        if &*declared.name == "<init>" {
            found.writes.extend(fields_of(reached, method.class).into_iter().map(Location::Field));
        }
        for insn in code.iter().flat_map(|code| &code.insns) {
            self.of_insn(reached, method, insn, &mut found);
        }
        found
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else touches memory or calls")]
    fn of_insn(
        &mut self,
        reached: &mut Reached,
        method: MethodRef,
        insn: &Insn,
        found: &mut Effects,
    ) {
        match insn {
            Insn::GetField(member) | Insn::GetStatic(member) => {
                found.reads.insert(field(reached, member));
                if matches!(insn, Insn::GetStatic(_)) {
                    initialize(reached, method, &member.class, found);
                }
            }
            Insn::PutField(member) | Insn::PutStatic(member) => {
                found.writes.insert(field(reached, member));
                if matches!(insn, Insn::PutStatic(_)) {
                    initialize(reached, method, &member.class, found);
                }
            }
            Insn::ArrayLoad(element) => {
                found.reads.insert(Location::Elements(*element));
            }
            Insn::ArrayStore(element) => {
                found.writes.insert(Location::Elements(*element));
            }
            Insn::New(class) => initialize(reached, method, class, found),
            Insn::Invoke(kind, member) => self.of_call(reached, method, *kind, member, found),
            Insn::InvokeDynamic(call) => {
                for (kind, member) in handles(call) {
                    self.of_call(reached, method, kind, member, found);
                }
                // Making a lambda runs nothing; joining texts asks objects for theirs, and others do what they like.
                let makes_lambda =
                    &*call.bootstrap.member.class == "java/lang/invoke/LambdaMetafactory";
                if !makes_lambda && !takes_values(&call.descriptor) {
                    self.of_library(reached, found);
                }
            }
            _ => {}
        }
    }

    fn of_call(
        &mut self,
        reached: &mut Reached,
        method: MethodRef,
        kind: InvokeKind,
        member: &MemberRef,
        found: &mut Effects,
    ) {
        if kind == InvokeKind::Static {
            initialize(reached, method, &member.class, found);
        }
        found.calls.extend(targets(reached, kind, member));
        let Ok(class) = reached.world.load(&member.class) else {
            return self.of_library(reached, found);
        };
        let named = reached.world.find_method(class, &member.name, &member.descriptor);
        // Whatever implements an interface may be a lambda that was kept somewhere.
        if kind == InvokeKind::Interface {
            found.calls.extend(self.lambdas(reached));
        }
        let is_library = named.is_none_or(|named| !is_own(reached, named));
        let is_harmless = is_immutable(&member.class)
            && (takes_values(&member.descriptor) || &*member.name == "equals");
        if is_library && !is_harmless {
            let is_object = &*member.class == "java/lang/Object" && &*member.name == "<init>";
            if !is_object {
                self.of_library(reached, found);
            }
        }
    }

    /// The library may call what it knows, and read and write what it holds.
    fn of_library(&mut self, reached: &mut Reached, found: &mut Effects) {
        found.reads.insert(Location::Library);
        found.writes.insert(Location::Library);
        found.calls.extend(self.callbacks(reached));
        found.calls.extend(self.lambdas(reached));
    }

    /// Methods of the user that lambdas and method references run, wherever these are made.
    fn lambdas(&mut self, reached: &mut Reached) -> Vec<MethodRef> {
        if let Some(known) = &self.lambdas {
            return known.clone();
        }
        let own: Vec<String> = reached.world.class_path().own_classes().to_vec();
        let mut found = BTreeSet::new();
        for name in own.iter().take(MAX_OWN_CLASSES) {
            let Ok(class) = reached.world.load(name) else { continue };
            let Some(file) = reached.world.info(class).class().map(Rc::clone) else { continue };
            for code in file.methods.iter().filter_map(|method| file.code(method).ok().flatten()) {
                for insn in &code.insns {
                    let Insn::InvokeDynamic(call) = insn else { continue };
                    for (kind, member) in handles(call) {
                        found.extend(targets(reached, kind, member));
                    }
                }
            }
        }
        let found: Vec<MethodRef> = found.into_iter().collect();
        self.lambdas = Some(found.clone());
        found
    }

    /// Methods of the user that the library may know: those that it declares.
    fn callbacks(&mut self, reached: &mut Reached) -> Vec<MethodRef> {
        if let Some(known) = &self.callbacks {
            return known.clone();
        }
        let own: Vec<String> = reached.world.class_path().own_classes().to_vec();
        let mut found = Vec::new();
        for name in own.iter().take(MAX_OWN_CLASSES) {
            let Ok(class) = reached.world.load(name) else { continue };
            let world = &reached.world;
            let Some(file) = world.info(class).class() else { continue };
            let library: Vec<TypeRef> = world
                .types()
                .filter(|&above| {
                    world.is_subtype(class, above) && !world.info(above).owner.is_own()
                })
                .collect();
            for (index, method) in (0u32..).zip(&file.methods) {
                let is_known = |above: &TypeRef| {
                    world.declared_method(*above, &method.name, &method.descriptor).is_some()
                };
                if !method.name.starts_with('<') && library.iter().any(is_known) {
                    found.push(MethodRef { class, index });
                }
            }
        }
        self.callbacks = Some(found.clone());
        found
    }
}

/// The methods that a call site which is made when it is first run was given.
pub(crate) fn handles(call: &DynamicCall) -> impl Iterator<Item = (InvokeKind, &MemberRef)> {
    call.args.iter().filter_map(|argument| {
        let Constant::MethodHandle(handle) = argument else { return None };
        let kind = match handle.kind {
            6 => InvokeKind::Static,
            7 | 8 => InvokeKind::Special,
            _ => InvokeKind::Virtual,
        };
        Some((kind, &*handle.member))
    })
}

fn is_own(reached: &Reached, method: MethodRef) -> bool {
    reached.world.info(method.class).owner.is_own()
}

/// Methods of the user that a call may run.
pub(crate) fn targets(
    reached: &mut Reached,
    kind: InvokeKind,
    member: &MemberRef,
) -> Vec<MethodRef> {
    let Ok(class) = reached.world.load(&member.class) else { return Vec::new() };
    let named = reached.world.find_method(class, &member.name, &member.descriptor);
    let mut found: Vec<MethodRef> = named.into_iter().collect();
    if matches!(kind, InvokeKind::Virtual | InvokeKind::Interface) {
        let own: Vec<String> = reached.world.class_path().own_classes().to_vec();
        for name in own.iter().take(MAX_OWN_CLASSES) {
            let Ok(below) = reached.world.load(name) else { continue };
            let world = &reached.world;
            if world.is_subtype(below, class) {
                found.extend(world.select_virtual(below, &member.name, &member.descriptor));
            }
        }
    }
    found.retain(|&one| is_own(reached, one));
    found
}

/// Whether a call is given numbers and texts alone, which are what they are.
fn takes_values(descriptor: &str) -> bool {
    let is_box = |name: &str| crate::descriptor::Prim::ALL.iter().any(|it| it.box_class() == name);
    Signature::parse(descriptor).is_some_and(|signature| {
        signature.params.iter().all(|ty| match ty {
            Type::Ref(name) => &**name == "java/lang/String" || is_box(name),
            Type::Prim(_) => true,
        })
    })
}

/// Classes of the user that are looked through.
const MAX_OWN_CLASSES: usize = 500;

/// Classes of the library whose methods neither change objects nor depend on such changes.
fn is_immutable(class: &str) -> bool {
    let is_box = crate::descriptor::Prim::ALL.iter().any(|prim| prim.box_class() == class);
    is_box || matches!(class, "java/lang/String" | "java/lang/Math" | "java/lang/StrictMath")
}

fn field(reached: &mut Reached, member: &MemberRef) -> Location {
    let class = reached.world.load(&member.class).ok();
    let world = &reached.world;
    let found = class.and_then(|class| world.find_field(class, &member.name, &member.descriptor));
    match found {
        Some(field) if world.info(field.class).owner.is_own() => Location::Field(field),
        Some(_) | None => Location::Library,
    }
}

/// The fields of objects of a class.
fn fields_of(reached: &Reached, class: TypeRef) -> Vec<FieldRef> {
    let Some(file) = reached.world.info(class).class() else { return Vec::new() };
    let fields = (0u32..).zip(&file.fields).filter(|(_, field)| !field.access.is_static());
    fields.map(|(index, _)| FieldRef { class, index }).collect()
}

/// The first use of a class runs its initializer.
fn initialize(reached: &mut Reached, method: MethodRef, class: &str, found: &mut Effects) {
    let Ok(class) = reached.world.load(class) else { return };
    let is_other = class != method.class && reached.world.info(class).owner.is_own();
    if is_other {
        found.calls.extend(reached.world.initializer(class));
    }
}
