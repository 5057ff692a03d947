//! An older version of classes beside a newer one: a method of it and all that this calls, as copies under other names in the
//! newer classes.
//!
//! Both versions see the same objects and static fields. What copies cannot stand for is refused: constructors and initializers
//! that differ, fields and classes that only the older version has, methods that code of the library calls.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use glassbox_jvm_front::ClassPath;
use glassbox_jvm_front::classfile::insn::{Code, Constant, DynamicCall, Handle, Insn, MemberRef};
use glassbox_jvm_front::classfile::{Access, ClassFile, MethodCode, MethodInfo};
use glassbox_jvm_front::world::World;
use glassbox_testcase::NotCompared;

use super::begun::Begun;
use super::contract::CONSTRUCTOR;
use super::named_methods::{Method, called, is_declared, run};
use super::versions::{Versions, class_of, shown};
use crate::language::{self, Purpose, Refusal};
use crate::listener::Listener;
use crate::plan::{Plan, Reference};

/// The classes of the older version.
#[derive(Debug)]
pub(super) struct Older {
    pub(super) classes: Vec<Rc<ClassFile>>,
    /// `pkg.Class.method(I)I`.
    pub(super) function: String,
}

/// A method of the older version for the newer classes.
#[derive(Debug)]
pub(super) struct Transplant {
    pub(super) copy: MethodInfo,
    /// As it is in the older version.
    pub(super) class: Rc<ClassFile>,
    pub(super) method: MethodInfo,
    /// What it calls, with the classes that get it.
    pub(super) others: Vec<(String, MethodInfo)>,
    /// Classes that its calls may start.
    pub(super) begun: Begun,
    /// What differs between the versions and is not compared.
    pub(super) left_out: Vec<NotCompared>,
}

/// What makes lambdas.
const LAMBDAS: &str = "java/lang/invoke/LambdaMetafactory";

/// What names of copies end in.
const SUFFIX: &str = "$old";

/// Makes of a plan one that compares a method with that of an older version.
pub(crate) fn compare(
    mut plan: Plan,
    (old, new): (PathBuf, PathBuf),
    function: &str,
    listener: &dyn Listener,
) -> Result<Plan, Refusal> {
    plan.intake.paths = vec![new];
    let read = language::read(&plan.intake, Purpose::Look, listener)?;
    let program = read.program();
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    let mut found = Vec::new();
    for declared in read.own_functions().iter().map(|&id| program.function(id)) {
        let Some(method) = declared.method.map(|id| &program.methods[id.index()]) else { continue };
        let class = program.class(method.class).name.replace('$', ".");
        let simple = class.rsplit('.').next().unwrap_or(&class);
        let name = &method.name;
        let names = [name.clone(), format!("{simple}.{name}"), format!("{class}.{name}")];
        let types = glassbox_jvm_front::descriptor::Signature::parse(&method.descriptor);
        let types = types
            .map_or(Vec::new(), |it| it.params.iter().map(super::subject::type_text).collect());
        let is_it = |known: &String| {
            known == function || plain(function) == format!("{known}({})", types.join(","))
        };
        if names.iter().any(is_it) || declared.name == function {
            let class = program.class(method.class).name.clone();
            found.push((class, format!("{name}{}", method.descriptor)));
        }
    }
    match found.as_slice() {
        [(class, method)] => {
            let function = format!("{class}.{method}");
            plan.intake.classes = vec![class.clone()];
            plan.intake.methods = vec![method.clone()];
            plan.intake.reference = Some(Reference { path: old, function, renamed: Vec::new() });
            Ok(plan)
        }
        [] => Err(Refusal::error(format!("the newer version defines no method `{function}`"))),
        several => {
            let names = several.iter().map(|(class, method)| format!("{class}.{method}"));
            let names: Vec<String> = names.collect();
            Err(Refusal::error(format!("`{function}` is one of {}", names.join(", "))))
        }
    }
}

impl Older {
    pub(super) fn read(
        paths: &[PathBuf],
        behind: &[PathBuf],
        home: &Path,
        function: &str,
    ) -> Result<Older, Refusal> {
        let class_path = ClassPath::new(paths, behind, Some(home))
            .map_err(|diagnostic| Refusal(format!("{diagnostic}\n")))?;
        let mut world = World::new(class_path);
        let own: Vec<String> = world.class_path().own_classes().to_vec();
        let loaded: Vec<_> = own.iter().filter_map(|name| world.load(name).ok()).collect();
        let classes = loaded.iter().filter_map(|&class| world.info(class).class().cloned());
        Ok(Older { classes: classes.collect(), function: function.to_owned() })
    }

    /// The method for the newer classes; why not.
    pub(super) fn transplant(&self, newer: &[Rc<ClassFile>]) -> Result<Transplant, String> {
        let mut found = self
            .classes
            .iter()
            .flat_map(|class| class.methods.iter().map(move |method| (class, method)));
        let is_it = |(class, method): &(&Rc<ClassFile>, &MethodInfo)| {
            let class = class.name.replace('/', ".");
            format!("{class}.{}{}", method.name, method.descriptor) == self.function
        };
        let (class, method) = found
            .find(is_it)
            .ok_or_else(|| format!("the older version defines no method `{}`", self.function))?;
        let versions = Versions::new(&self.classes, newer);
        let mut walk = Walk { older: &self.classes, versions, found: Vec::new() };
        walk.follow(class, method)?;
        if !method.access.is_static() && walk.looks_at_fields_of(class) {
            walk.versions.construct(class);
        }
        let names: BTreeSet<(Rc<str>, Rc<str>)> = walk
            .found
            .iter()
            .map(|(_, method)| (Rc::clone(&method.name), Rc::clone(&method.descriptor)))
            .collect();
        let mut others = Vec::new();
        for (owner, called) in &walk.found {
            others.push((owner.name.to_string(), self.copied(owner, called, &names)?));
        }
        // The first is the method itself.
        let (_, copy) = others.remove(0);
        let begun = Begun::of(&self.classes, &[(Rc::clone(class), method.clone())]);
        let left_out = walk.versions.left_out;
        let (class, method) = (Rc::clone(class), method.clone());
        Ok(Transplant { copy, class, method, others, begun, left_out })
    }

    /// A method under its new name, in which calls of others that are copied have theirs.
    fn copied(
        &self,
        class: &ClassFile,
        method: &MethodInfo,
        names: &BTreeSet<(Rc<str>, Rc<str>)>,
    ) -> Result<MethodInfo, String> {
        let renamed = |member: &Rc<MemberRef>| {
            let key = (Rc::clone(&member.name), Rc::clone(&member.descriptor));
            if !names.contains(&key) || run(&self.classes, member).is_empty() {
                return Rc::clone(member);
            }
            let name = format!("{}{SUFFIX}", member.name).into();
            Rc::new(MemberRef { name, ..(**member).clone() })
        };
        let code = match class.code(method).map_err(|error| error.to_string())? {
            None => MethodCode::None,
            Some(code) => {
                let mut code = Code::clone(&code);
                for insn in &mut code.insns {
                    if let Insn::Invoke(_, member) = insn {
                        *member = renamed(member);
                    } else if let Insn::InvokeDynamic(call) = insn {
                        let args = call.args.iter().map(|argument| {
                            let Constant::MethodHandle(handle) = argument else {
                                return argument.clone();
                            };
                            let member = renamed(&handle.member);
                            Constant::MethodHandle(Handle { kind: handle.kind, member })
                        });
                        let args = args.collect();
                        // A lambda has the method that copies call.
                        let mut name = Rc::clone(&call.name);
                        if let Some(Constant::MethodType(descriptor)) = call.args.first()
                            && &*call.bootstrap.member.class == LAMBDAS
                            && names.contains(&(Rc::clone(&name), Rc::clone(descriptor)))
                        {
                            name = format!("{name}{SUFFIX}").into();
                        }
                        *call = Rc::new(DynamicCall { name, args, ..(**call).clone() });
                    }
                }
                MethodCode::Made(Rc::new(code))
            }
        };
        let name = format!("{}{SUFFIX}", method.name).into();
        let access = Access(method.access.0 | Access::SYNTHETIC);
        Ok(MethodInfo { name, access, code, ..method.clone() })
    }
}

/// What a method of the older version needs.
struct Walk<'a> {
    older: &'a [Rc<ClassFile>],
    versions: Versions<'a>,
    /// Methods that are copied, with their classes.
    found: Vec<Method>,
}

impl Walk<'_> {
    fn follow(&mut self, class: &Rc<ClassFile>, method: &MethodInfo) -> Result<(), String> {
        let is_known = |(owner, known): &Method| {
            owner.name == class.name
                && known.name == method.name
                && known.descriptor == method.descriptor
        };
        if self.found.iter().any(is_known) {
            return Ok(());
        }
        self.found.push((Rc::clone(class), method.clone()));
        self.versions.same_class(&class.name)?;
        self.versions.start(&class.name)?;
        let Some(code) = class.code(method).map_err(|error| error.to_string())? else {
            return Ok(());
        };
        self.versions.uses(&code)?;
        called(&code).try_for_each(|member| self.call(member))
    }

    fn call(&mut self, member: &MemberRef) -> Result<(), String> {
        if class_of(self.older, &member.class).is_none() {
            return self.versions.call_of_library(member);
        }
        if !is_declared(self.older, member) {
            self.versions.call_of_library(member)?;
        }
        let all = run(self.older, member);
        // What no class has is the library's, unless the newer version has it.
        if &*member.name == CONSTRUCTOR || all.is_empty() {
            let is_made = &*member.name == CONSTRUCTOR;
            return self.versions.call_of_both(member).map_err(|why| match is_made {
                true => format!("constructors of `{}` differ: {why}", shown(&member.class)),
                false => why,
            });
        }
        all.iter().try_for_each(|(class, method)| self.follow(class, method))
    }

    /// Whether copies look at fields of an object of this class.
    fn looks_at_fields_of(&self, class: &ClassFile) -> bool {
        self.found.iter().any(|(owner, method)| {
            let Ok(Some(code)) = owner.code(method) else { return false };
            code.insns.iter().any(|insn| {
                matches!(insn, Insn::GetField(member) | Insn::PutField(member)
                    if member.class == class.name)
            })
        })
    }
}
