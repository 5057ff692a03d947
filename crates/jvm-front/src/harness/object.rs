//! Objects of classes with constructors: which constructors, which calls after them.

use std::rc::Rc;

use glassbox_testcase::recipe::{Making, NewObject, Step, StepCall, Visibility};

use super::generic;
use super::{Planner, is_array_of_numbers, is_enum, is_plain, param_names};
use crate::classfile::insn::Insn;
use crate::classfile::{Access, ClassFile, MethodInfo};
use crate::classpath::Owner;
use crate::descriptor::{Signature, Type};
use crate::reach::Properties;
use crate::world::{MethodRef, TypeRef};

/// Implementations that one reference chooses from.
const MAX_CLASSES: usize = 4;
/// Calls that one step chooses from.
const MAX_CALLS: usize = 6;
/// Classes of the user that are looked through.
const MAX_OWN_CLASSES: usize = 500;

/// Methods that change nothing by their contract.
const QUIET: &[&str] =
    &["equals", "hashCode", "toString", "compareTo", "compare", "clone", "finalize"];

/// Abstract types of the JDK, and a class of each that is made from texts, numbers or nothing.
const USUAL: &[(&str, &str)] = &[
    ("java/io/InputStream", "java/io/ByteArrayInputStream"),
    ("java/io/OutputStream", "java/io/ByteArrayOutputStream"),
    ("java/io/Reader", "java/io/StringReader"),
    ("java/io/Writer", "java/io/StringWriter"),
    ("java/lang/Appendable", "java/lang/StringBuilder"),
    ("java/lang/Readable", "java/io/StringReader"),
    ("java/util/Map$Entry", "java/util/AbstractMap$SimpleEntry"),
];

/// Calls on fields that change what they hold.
const CHANGING: &[&str] = &[
    "add",
    "addAll",
    "addFirst",
    "addLast",
    "append",
    "clear",
    "insert",
    "offer",
    "poll",
    "pop",
    "push",
    "put",
    "putAll",
    "remove",
    "removeFirst",
    "removeLast",
    "set",
];

impl Planner<'_> {
    /// Whether objects of a class can be given any state without reflection: all fields are in reach, have
    /// setters, or go through one constructor.
    pub(super) fn is_transparent(&mut self, class: TypeRef, depth: usize) -> bool {
        let world = &self.reached.world;
        let info = world.info(class);
        let Some(file) = info.class().map(Rc::clone) else { return true };
        if info.owner != Owner::User || is_enum(&file) || self.is_throwable(class) {
            return false;
        }
        if file.access.is_abstract() {
            let below = self.implementations(class);
            return !below.is_empty()
                && below.iter().all(|&one| self.is_transparent(one, depth + 1));
        }
        let is_object = |above: &TypeRef| {
            matches!(&**self.reached.world.name(*above), "java/lang/Object" | "java/lang/Record")
        };
        if !self.is_in_reach(class) || !info.superclass.is_some_and(|above| is_object(&above)) {
            return false;
        }
        let recipe = crate::recipe::recipe(world, &file);
        let is_same = super::package_of(&file.name) == &*self.package;
        let may_use = |visibility: Visibility| match visibility {
            Visibility::Public => true,
            Visibility::Package => is_same,
            Visibility::Private => false,
        };
        let has_way = recipe.constructors.iter().filter(|one| may_use(one.visibility)).any(|one| {
            recipe.fields.iter().all(|field| {
                one.params.contains(&field.name)
                    || (!field.is_final && may_use(field.visibility))
                    || recipe.setters.iter().any(|(_, set)| *set == field.name)
            })
        });
        let types: Vec<Type> = file
            .fields
            .iter()
            .filter(|field| !field.access.is_static())
            .filter_map(|field| Type::parse(&field.descriptor))
            .collect();
        has_way && types.iter().all(|ty| !self.is_opaque(ty, depth + 1))
    }

    fn is_throwable(&self, class: TypeRef) -> bool {
        let world = &self.reached.world;
        world.known("java/lang/Throwable").is_some_and(|above| world.is_subtype(class, above))
    }

    /// Classes of the user below a type that tests can make.
    fn implementations(&mut self, class: TypeRef) -> Vec<TypeRef> {
        let own: Vec<String> = self.reached.world.class_path().own_classes().to_vec();
        let mut found = Vec::new();
        for name in own.iter().take(MAX_OWN_CLASSES) {
            let Ok(other) = self.reached.world.load(name) else { continue };
            let world = &self.reached.world;
            let is_concrete =
                world.info(other).class().is_some_and(|file| !file.access.is_abstract());
            if other != class
                && is_concrete
                && world.is_subtype(other, class)
                && self.is_in_reach(other)
            {
                found.push(other);
            }
        }
        found.truncate(MAX_CLASSES);
        found
    }

    /// Classes below a type that the method under test asks for by `instanceof` and casts.
    fn asked_for(&mut self, class: TypeRef) -> Vec<TypeRef> {
        let world = &self.reached.world;
        let file = world.info(self.target.class).class().map(Rc::clone);
        let method = world.method(self.target).clone();
        let code = file.and_then(|file| file.code(&method).ok().flatten());
        let mut found = Vec::new();
        for insn in code.iter().flat_map(|code| &code.insns) {
            let (Insn::InstanceOf(name) | Insn::CheckCast(name)) = insn else { continue };
            let Ok(other) = self.reached.world.load(name) else { continue };
            let world = &self.reached.world;
            let is_concrete =
                world.info(other).class().is_some_and(|file| !file.access.is_abstract());
            let is_new = other != class && !found.contains(&other);
            if is_new && is_concrete && world.is_subtype(other, class) && self.is_in_reach(other) {
                found.push(other);
            }
        }
        found
    }

    /// What people write where an abstract type of the JDK is asked for.
    fn usual(&mut self, file: &ClassFile) -> Vec<TypeRef> {
        let names = USUAL.iter().filter(|(above, _)| *above == &*file.name);
        names.filter_map(|(_, class)| self.reached.world.load(class).ok()).collect()
    }

    /// An object of a class or of one below it.
    pub(super) fn object(&mut self, class: TypeRef, name: &str, depth: usize) -> Option<Making> {
        if depth > 3 {
            return None;
        }
        let file = self.reached.world.info(class).class().map(Rc::clone)?;
        let is_own = self.reached.world.info(class).owner == Owner::User;
        let mut classes = Vec::new();
        if !file.access.is_abstract() && self.is_in_reach(class) {
            classes.push(class);
        }
        if classes.is_empty() || (is_own && depth == 0) || self.is_throwable(class) {
            classes.extend(self.implementations(class));
        }
        for other in self.asked_for(class).into_iter().chain(self.usual(&file)) {
            if !classes.contains(&other) {
                classes.push(other);
            }
        }
        classes.truncate(MAX_CLASSES);
        let n_ways = if depth == 0 { 3 } else { 2 };
        let mut ways = Vec::new();
        for class in classes {
            let Some(file) = self.reached.world.info(class).class().map(Rc::clone) else {
                continue;
            };
            if is_enum(&file) {
                continue;
            }
            let makers = self.makers(class, &file, n_ways);
            ways.extend(makers.into_iter().map(|method| (class, method)));
        }
        let options = self
            .ways(ways, |planner, (class, method)| planner.new_object(class, &method, name, depth));
        self.choice(options, name)
    }

    /// Constructors that tests can call, those with few parameters first; static methods where there are
    /// none.
    fn makers(&self, class: TypeRef, file: &ClassFile, n_ways: usize) -> Vec<MethodInfo> {
        let is_usable = |method: &&MethodInfo| {
            self.may_use(class, method.access) && !method.access.has(Access::SYNTHETIC)
        };
        let is_jdk = self.reached.world.info(class).owner == Owner::Library;
        let takes_plain = |method: &&MethodInfo| {
            let Some(signature) = Signature::parse(&method.descriptor) else { return false };
            let plain = |ty: &Type| match ty {
                Type::Prim(_) => true,
                Type::Ref(name) => is_plain(name) || is_array_of_numbers(name),
            };
            !is_jdk || signature.params.iter().all(plain)
        };
        let constructors = file.methods.iter().filter(|method| &*method.name == "<init>");
        let constructors = constructors.filter(is_usable).filter(takes_plain);
        let mut found: Vec<MethodInfo> = constructors.cloned().collect();
        if found.is_empty() {
            let own = format!(")L{};", file.name);
            let factories = file
                .methods
                .iter()
                .filter(|method| method.access.is_static() && method.descriptor.ends_with(&own));
            found = factories.filter(is_usable).filter(takes_plain).cloned().collect();
        }
        found.sort_by_key(|method| {
            Signature::parse(&method.descriptor).map_or(0, |signature| signature.params.len())
        });
        found.truncate(n_ways);
        found
    }

    fn new_object(
        &mut self,
        class: TypeRef,
        method: &MethodInfo,
        name: &str,
        depth: usize,
    ) -> Option<Making> {
        let file = self.reached.world.info(class).class().map(Rc::clone)?;
        let is_constructor = &*method.name == "<init>";
        let is_inner = file.nested_access.is_some_and(|access| !access.is_static());
        let has_outer = is_constructor && is_inner && !file.access.is_interface();
        let args = self.arguments(&file, method, depth)?;
        let steps = self.steps(class, name, depth);
        Some(Making::New(Box::new(NewObject {
            class: self.named(class),
            descriptor: method.descriptor.to_string(),
            factory: (!is_constructor).then(|| method.name.to_string()),
            has_outer,
            args,
            steps,
        })))
    }

    fn arguments(
        &mut self,
        file: &ClassFile,
        method: &MethodInfo,
        depth: usize,
    ) -> Option<Vec<Making>> {
        let signature = Signature::parse(&method.descriptor)?;
        let generics = generic::params(method.signature.as_deref(), signature.params.len());
        let mut args = Vec::new();
        let names = param_names(file, method, &signature);
        for ((ty, generic), name) in signature.params.iter().zip(&generics).zip(&names) {
            args.push(self.making(ty, generic, name, depth + 1).unwrap_or(Making::Null));
        }
        Some(args)
    }

    /// Calls after the constructor, where the class has methods that change something.
    fn steps(&mut self, class: TypeRef, name: &str, depth: usize) -> Vec<Step> {
        let is_own = self.reached.world.info(class).owner == Owner::User;
        let n_steps = match depth {
            0 if is_own => self.n_calls,
            1 if is_own => 1,
            _ => 0,
        };
        let mutators = self.mutators(class, depth);
        if n_steps == 0 || mutators.is_empty() {
            return Vec::new();
        }
        let mut steps = Vec::new();
        for step in 0..n_steps {
            let name = format!("{name}{}", step + 1);
            let selector = self.selector(&name);
            let mut calls = Vec::new();
            self.ways(mutators.clone(), |planner, (file, method): (Rc<ClassFile>, MethodInfo)| {
                let args = planner.arguments(&file, &method, depth + 1)?;
                let (name, descriptor) = (method.name.to_string(), method.descriptor.to_string());
                calls.push(StepCall { method: name, descriptor, args });
                Some(Making::Null)
            });
            steps.push(Step { selector, calls });
        }
        steps
    }

    /// Methods of an object that change what the method under test reads, or what those read that do; the nearest
    /// first.
    fn mutators(&mut self, class: TypeRef, depth: usize) -> Vec<(Rc<ClassFile>, MethodInfo)> {
        let mut open = self.changing_methods(class, depth);
        // Where errors are looked for, they should be those of the last call.
        if self.reached.options.properties != Properties::None {
            let target = self.target;
            open.retain(|(of, _, _)| {
                *of != target && !self.analysis.effects(self.reached, *of).may_call(target)
            });
        }
        let mut needed = vec![self.analysis.effects(self.reached, self.target)];
        let mut found = Vec::new();
        while let Some(reader) = needed.pop() {
            let mut rest = Vec::new();
            for (of, file, method) in std::mem::take(&mut open) {
                let effects = self.analysis.effects(self.reached, of);
                if effects.may_change(&reader) {
                    found.push((file, method));
                    needed.insert(0, effects);
                } else {
                    rest.push((of, file, method));
                }
            }
            open = rest;
        }
        found.truncate(MAX_CALLS);
        found
    }

    /// Methods that change an object, as their code says, those of classes above included.
    fn changing_methods(
        &self,
        class: TypeRef,
        depth: usize,
    ) -> Vec<(MethodRef, Rc<ClassFile>, MethodInfo)> {
        let mut found: Vec<(MethodRef, Rc<ClassFile>, MethodInfo)> = Vec::new();
        let world = &self.reached.world;
        let mut at = Some(class);
        while let Some(class) = at.filter(|&class| world.info(class).owner == Owner::User) {
            at = world.info(class).superclass;
            let Some(file) = world.info(class).class() else { continue };
            for (index, method) in (0u32..).zip(&file.methods) {
                let is_overridden = found.iter().any(|(_, _, known)| {
                    known.name == method.name && known.descriptor == method.descriptor
                });
                let is_candidate = !is_overridden
                    && !method.name.starts_with('<')
                    && !method.access.is_static()
                    && !method.access.is_abstract()
                    && !method.access.has(Access::SYNTHETIC)
                    && !QUIET.contains(&&*method.name)
                    && self.may_use(class, method.access);
                let is_simple = Signature::parse(&method.descriptor).is_some_and(|signature| {
                    signature.params.len() <= 3
                        && (depth == 0
                            || signature.params.iter().all(|ty| match ty {
                                Type::Prim(_) => true,
                                Type::Ref(name) => is_plain(name),
                            }))
                });
                if is_candidate && is_simple && changes(file, method) {
                    found.push((MethodRef { class, index }, Rc::clone(file), method.clone()));
                }
            }
        }
        found
    }
}

/// Whether code stores to fields or arrays, or calls what usually does.
#[expect(clippy::wildcard_enum_match_arm, reason = "what else changes an object does so by a call")]
fn changes(file: &ClassFile, method: &MethodInfo) -> bool {
    let Ok(Some(code)) = file.code(method) else { return false };
    code.insns.iter().any(|insn| match insn {
        Insn::PutField(_) | Insn::ArrayStore(_) => true,
        Insn::Invoke(_, callee) => {
            CHANGING.contains(&&*callee.name)
                || (callee.class == file.name && &*callee.name != "<init>")
        }
        _ => false,
    })
}
