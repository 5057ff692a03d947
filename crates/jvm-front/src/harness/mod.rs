//! Harnesses: made methods that build the arguments of a method under test the way a person would, by
//! constructors, calls and constants, and call it.
//!
//! Which constructor, how many calls and with what is decided by parameters of the harness, so that the
//! search finds states that public code can reach. Enums, collections, exceptions and objects whose state
//! is hidden are made like this; everything else stays an input of its own.
//!
//! Calls on an object are of methods that influence what the method under test reads, or what such a method reads
//! (`influence`); those that do directly come first.
//!
//! Bounds: two or three constructors, a few calls on an object (one on objects that it needs), three
//! elements of a collection. A harness never proves that something cannot be reached.

mod code;
mod collection;
mod generic;
mod object;
mod usual;

use std::rc::Rc;

use glassbox_testcase::recipe::{Making, Named, Visibility};

use crate::classfile::{Access, ClassFile, FieldInfo, MethodInfo};
use crate::classpath::Owner;
use crate::descriptor::{Prim, Signature, Type};
use crate::influence::Analysis;
use crate::reach::Reached;
use crate::reach::dynamic::made_method;
use crate::recipe::visibility;
use crate::world::{MethodRef, Shape, TypeRef, World};
use code::Writer;
use generic::Generic;

/// Parameters of a harness at most.
const MAX_PARAMS: usize = 60;

/// Calls on the objects of a method: a harness with few of them is asked first.
pub(crate) const FEW_CALLS: usize = 3;
pub(crate) const MANY_CALLS: usize = 8;

/// Elements of a collection and of an array of made objects at most.
const MAX_ITEMS: usize = 3;

/// A planned harness.
#[derive(Debug)]
pub(crate) struct PlannedHarness {
    pub(crate) target: MethodRef,
    pub(crate) function: MethodRef,
    pub(crate) setup: MethodRef,
    pub(crate) class: TypeRef,
    pub(crate) receiver: Option<Making>,
    pub(crate) args: Vec<Making>,
    /// Positions that are kept in static fields.
    pub(crate) made: Vec<usize>,
}

impl PlannedHarness {
    /// The same for tests of a method on objects, if it is about a function that takes the object first.
    pub(crate) fn called_as(mut self, world: &World, target: MethodRef) -> PlannedHarness {
        let is_other = self.target != target && !world.method(target).access.is_static();
        if is_other && self.receiver.is_none() && !self.args.is_empty() {
            self.receiver = Some(self.args.remove(0));
        }
        self.target = target;
        self
    }
}

/// Classes that the engines make objects of as they are.
fn is_plain(name: &str) -> bool {
    let is_box = Prim::ALL.iter().any(|prim| prim.box_class() == name);
    is_box
        || matches!(name, "java/lang/String" | "java/lang/Object" | "java/lang/CharSequence")
        || matches!(name, "java/lang/Number" | "java/lang/Comparable" | "java/io/Serializable")
}

fn is_array_of_numbers(name: &str) -> bool {
    name.strip_prefix('[').and_then(Type::parse).is_some_and(|ty| matches!(ty, Type::Prim(_)))
}

/// Plans the arguments of one method.
struct Planner<'a> {
    reached: &'a mut Reached,
    analysis: &'a mut Analysis,
    /// On an object at most.
    n_calls: usize,
    /// Of the method under test: what tests can name.
    package: Rc<str>,
    target: MethodRef,
    /// Types and names of the harness's parameters.
    params: Vec<(Type, String)>,
    /// Parameters that the way being planned uses already.
    busy: Vec<bool>,
}

impl Reached {
    /// Harnesses for a method, with few and with many calls; none when its inputs need none.
    pub(crate) fn plan_harnesses(
        &mut self,
        analysis: &mut Analysis,
        target: MethodRef,
    ) -> Vec<PlannedHarness> {
        let Some(short) = self.plan_harness(analysis, target, FEW_CALLS) else { return Vec::new() };
        let mut parts = short.receiver.iter().chain(&short.args);
        let is_longer = parts.any(has_calls);
        let long = is_longer.then(|| self.plan_harness(analysis, target, MANY_CALLS)).flatten();
        std::iter::once(short).chain(long).collect()
    }

    fn plan_harness(
        &mut self,
        analysis: &mut Analysis,
        target: MethodRef,
        n_calls: usize,
    ) -> Option<PlannedHarness> {
        let declared = self.world.method(target).clone();
        // A constructor makes its object.
        let is_static = declared.access.is_static() || &*declared.name == "<init>";
        let signature = Signature::parse(&declared.descriptor)?;
        let generics = generic::params(declared.signature.as_deref(), signature.params.len());
        let file = self.world.info(target.class).class().map(Rc::clone)?;
        let names = param_names(&file, &declared, &signature);
        let class_name = Rc::clone(self.world.name(target.class));
        let package = package_of(&class_name).into();
        let (params, busy) = (Vec::new(), Vec::new());
        let mut planner =
            Planner { reached: self, analysis, n_calls, package, target, params, busy };
        let own = Type::Ref(Rc::clone(&class_name));
        let is_needed = (!is_static && planner.is_opaque(&own, 0))
            || signature.params.iter().any(|ty| planner.is_opaque(ty, 0));
        if !is_needed {
            return None;
        }
        let receiver = if is_static {
            None
        } else {
            let name = decapitalized(&class_name);
            Some(planner.making(&own, &Generic::default(), &name, 0)?)
        };
        let mut args = Vec::new();
        let mut earlier: Vec<(usize, TypeRef)> = Vec::new();
        if receiver.is_some() {
            earlier.push((0, target.class));
        }
        for ((ty, generic), name) in signature.params.iter().zip(&generics).zip(&names) {
            let making = planner.making(ty, generic, name, 0).unwrap_or(Making::Null);
            let position = args.len() + usize::from(receiver.is_some());
            let is_made = !matches!(making, Making::Param(_) | Making::Null);
            let class = match ty {
                Type::Ref(name) if is_made => planner.reached.world.load(name).ok(),
                Type::Ref(_) | Type::Prim(_) => None,
            };
            args.push(match class {
                Some(class) => {
                    let making = planner.or_others(making, &earlier, class, name);
                    earlier.push((position, class));
                    making
                }
                None => making,
            });
        }
        let params = std::mem::take(&mut planner.params);
        if params.len() > MAX_PARAMS {
            return None;
        }
        self.define_harness(target, &declared.descriptor, receiver, args, &params)
    }

    fn define_harness(
        &mut self,
        target: MethodRef,
        descriptor: &str,
        receiver: Option<Making>,
        args: Vec<Making>,
        params: &[(Type, String)],
    ) -> Option<PlannedHarness> {
        let name = format!("glassbox/Harness{}", self.next_made());
        let all: Vec<&Making> = receiver.iter().chain(&args).collect();
        let is_kept = |position: &usize| !matches!(all[*position], Making::Param(_) | Making::Null);
        let made: Vec<usize> = (0..all.len()).filter(is_kept).collect();
        let mut class = ClassFile::made(&name, "java/lang/Object", Vec::new());
        let mut field = |name: String, descriptor: &str| {
            class.fields.push(FieldInfo {
                access: Access(Access::STATIC | Access::PUBLIC),
                name: name.into(),
                descriptor: descriptor.into(),
                constant: None,
            });
        };
        field("stage".to_owned(), "I");
        for position in &made {
            field(format!("made{position}"), "Ljava/lang/Object;");
        }
        let types: String = params.iter().map(|(ty, _)| ty.descriptor()).collect();
        let result = descriptor.rsplit_once(')')?.1;
        let whole = format!("({types}){result}");
        for (method, has_call) in [("call", true), ("setup", false)] {
            let mut writer = Writer::new(self, &name, params);
            writer.harness(target, receiver.as_ref(), &args, &made, has_call)?;
            let code = writer.finish();
            class.methods.push(made_method(method, &whole, Access::STATIC, code));
        }
        let class = self.world.define(class, Owner::Library).ok()?;
        let method = |index: u32| MethodRef { class, index };
        let (function, setup) = (method(0), method(1));
        Some(PlannedHarness { target, function, setup, class, receiver, args, made })
    }
}

/// Whether calls on objects are chosen.
fn has_calls(making: &Making) -> bool {
    match making {
        Making::Param(_)
        | Making::Null
        | Making::Earlier(_)
        | Making::Constant { .. }
        | Making::Usual(_) => false,
        Making::Choice { options, .. } => options.iter().any(has_calls),
        Making::New(object) => !object.steps.is_empty() || object.args.iter().any(has_calls),
        Making::Array { elements, .. } => elements.iter().any(has_calls),
        Making::Collection { items, .. } => items.iter().flatten().any(has_calls),
    }
}

/// Names of a method's parameters, as its variable table has them.
fn param_names(file: &ClassFile, method: &MethodInfo, signature: &Signature) -> Vec<String> {
    let code = file.code(method).ok().flatten();
    let mut slot = u16::from(!method.access.is_static());
    let mut names = Vec::new();
    for (position, ty) in signature.params.iter().enumerate() {
        let variable = code.as_ref().and_then(|code| {
            code.variables.iter().find(|variable| variable.slot == slot && variable.start == 0)
        });
        names.push(variable.map_or(format!("p{position}"), |variable| variable.name.to_string()));
        slot = slot.saturating_add(if ty.kind().is_wide() { 2 } else { 1 });
    }
    names
}

fn package_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(package, _)| package)
}

/// `stock/Stock$Item` as a variable's name: `item`.
fn decapitalized(class: &str) -> String {
    let simple = class.rsplit(['/', '$']).next().unwrap_or("object");
    let mut letters = simple.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

impl Planner<'_> {
    /// A parameter of the harness that this way does not use yet.
    fn param(&mut self, ty: &Type, name: &str) -> usize {
        let free = (0..self.params.len()).find(|&at| !self.busy[at] && self.params[at].0 == *ty);
        let at = free.unwrap_or_else(|| {
            self.params.push((ty.clone(), name.to_owned()));
            self.busy.push(false);
            self.params.len() - 1
        });
        self.busy[at] = true;
        at
    }

    fn selector(&mut self, name: &str) -> usize {
        self.param(&Type::Prim(Prim::Int), &format!("{name}_choice"))
    }

    /// Plans ways of which one is taken: they may use the same parameters.
    fn ways<T>(
        &mut self,
        ways: Vec<T>,
        mut plan: impl FnMut(&mut Self, T) -> Option<Making>,
    ) -> Vec<Making> {
        let before = self.busy.clone();
        let mut after = before.clone();
        let mut planned = Vec::new();
        for way in ways {
            self.busy.clone_from(&before);
            self.busy.resize(self.params.len(), false);
            let making = plan(self, way);
            after.resize(self.busy.len(), false);
            if let Some(making) = making {
                planned.push(making);
                for (at, busy) in self.busy.iter().enumerate() {
                    after[at] |= busy;
                }
            }
        }
        after.resize(self.params.len(), false);
        self.busy = after;
        planned
    }

    /// Also something made before, of the same class, and null.
    fn or_others(
        &mut self,
        making: Making,
        earlier: &[(usize, TypeRef)],
        class: TypeRef,
        name: &str,
    ) -> Making {
        let is_enum = matches!(making, Making::Constant { .. });
        let same = earlier.iter().filter(|(_, other)| *other == class && !is_enum);
        let mut others: Vec<Making> =
            same.map(|(position, _)| Making::Earlier(*position)).collect();
        others.push(Making::Null);
        if let Making::Choice { selector, mut options } = making {
            options.extend(others);
            return Making::Choice { selector, options };
        }
        let selector = self.selector(name);
        let options = std::iter::once(making).chain(others).collect();
        Making::Choice { selector, options }
    }

    /// One of several ways, with a selector where there are several.
    fn choice(&mut self, mut options: Vec<Making>, name: &str) -> Option<Making> {
        match options.len() {
            0 => None,
            1 => options.pop(),
            _ => Some(Making::Choice { selector: self.selector(name), options }),
        }
    }

    /// Whether tests can name a class.
    fn is_in_reach(&self, class: TypeRef) -> bool {
        let world = &self.reached.world;
        let Some(file) = world.info(class).class() else { return true };
        let is_same = package_of(&file.name) == &*self.package;
        match crate::recipe::class_visibility(world, file) {
            Visibility::Public => true,
            Visibility::Package => is_same,
            Visibility::Private => false,
        }
    }

    fn may_use(&self, class: TypeRef, access: Access) -> bool {
        let is_same = package_of(self.reached.world.name(class)) == &*self.package;
        match visibility(access) {
            Visibility::Public => true,
            Visibility::Package => is_same,
            Visibility::Private => false,
        }
    }

    fn source_name(&self, class: TypeRef) -> String {
        let info = self.reached.world.info(class);
        info.class().map_or(info.dotted_name(), |file| crate::recipe::source_name(file))
    }

    fn named(&self, class: TypeRef) -> Named {
        let internal = self.reached.world.name(class).to_string();
        Named { source: self.source_name(class), internal }
    }

    /// Whether inputs of this type are better made than assumed.
    fn is_opaque(&mut self, ty: &Type, depth: usize) -> bool {
        let Type::Ref(name) = ty else { return false };
        if is_plain(name) || depth > 4 {
            return false;
        }
        let Ok(class) = self.reached.world.load(name) else { return false };
        match self.reached.world.info(class).shape.clone() {
            Shape::Array(element) => self.is_opaque(&element, depth + 1),
            Shape::Class(_) => !self.is_transparent(class, depth),
        }
    }

    /// How a value of a type is made; `None` where nothing leads there.
    fn making(&mut self, ty: &Type, generic: &Generic, name: &str, depth: usize) -> Option<Making> {
        let Type::Ref(class_name) = ty else { return Some(Making::Param(self.param(ty, name))) };
        if !self.is_opaque(ty, 0) {
            return Some(Making::Param(self.param(ty, name)));
        }
        let class = self.reached.world.load(class_name).ok()?;
        match self.reached.world.info(class).shape.clone() {
            Shape::Array(element) => self.array(&element, name, depth),
            Shape::Class(file) => match collection::known(class_name) {
                Some(known) => self.collection(known, class, generic, name, depth),
                None if is_enum(&file) => self.constant(class, &file, name),
                None => match usual::usual(class_name) {
                    Some(usual) => Some(Making::Usual(usual)),
                    None => self.object(class, name, depth),
                },
            },
        }
    }

    fn array(&mut self, element: &Type, name: &str, depth: usize) -> Option<Making> {
        let Type::Ref(element_name) = element else { return None };
        if depth > 1 || element_name.starts_with('[') {
            return None;
        }
        let class = self.reached.world.load(element_name).ok().filter(|&c| self.is_in_reach(c))?;
        let count = self.param(&Type::Prim(Prim::Int), &format!("{name}_length"));
        let mut elements = Vec::new();
        for index in 0..MAX_ITEMS {
            let name = format!("{name}{index}");
            elements.push(self.making(element, &Generic::default(), &name, depth + 1)?);
        }
        let class = self.named(class);
        Some(Making::Array { class, count, elements })
    }

    fn constant(&mut self, class: TypeRef, file: &ClassFile, name: &str) -> Option<Making> {
        let own = format!("L{};", file.name);
        let constants = file.fields.iter().filter(|field| {
            field.access.has(ENUM) && field.access.is_static() && *field.descriptor == own
        });
        let names: Vec<String> = constants.map(|field| field.name.to_string()).collect();
        if names.is_empty() || !self.is_in_reach(class) {
            return None;
        }
        let selector = self.selector(name);
        Some(Making::Constant { class: self.named(class), selector, names })
    }
}

/// The flag of enums and their constants.
const ENUM: u16 = 0x4000;

fn is_enum(file: &ClassFile) -> bool {
    file.access.has(ENUM)
}
