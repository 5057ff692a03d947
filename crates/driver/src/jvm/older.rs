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
use glassbox_jvm_front::classfile::{Access, ClassFile, FieldInfo, MethodCode, MethodInfo};
use glassbox_jvm_front::world::World;

use super::beyond::is_quiet;
use super::contract::CONSTRUCTOR;
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
}

/// Methods that the library calls on objects of any class.
const OF_OBJECTS: &[&str] = &["toString", "equals", "hashCode", "compareTo", "compare"];

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
        let mut walk = Walk { older: &self.classes, newer, found: Vec::new() };
        walk.follow(class, method)?;
        walk.library_calls()?;
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
        Ok(Transplant { copy, class: Rc::clone(class), method: method.clone(), others })
    }

    fn is_own(&self, class: &str) -> bool {
        self.classes.iter().any(|known| *known.name == *class)
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
            if !self.is_own(&member.class) || !names.contains(&key) {
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
                        *call = Rc::new(DynamicCall { args, ..(**call).clone() });
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
    newer: &'a [Rc<ClassFile>],
    /// Methods that are copied, with their classes.
    found: Vec<(Rc<ClassFile>, MethodInfo)>,
}

fn class_of<'c>(classes: &'c [Rc<ClassFile>], name: &str) -> Option<&'c Rc<ClassFile>> {
    classes.iter().find(|class| *class.name == *name)
}

fn method_of<'c>(class: &'c ClassFile, name: &str, descriptor: &str) -> Option<&'c MethodInfo> {
    let is_it = |it: &&MethodInfo| *it.name == *name && *it.descriptor == *descriptor;
    class.methods.iter().find(is_it)
}

/// Members that code calls.
fn called(code: &Code) -> impl Iterator<Item = &MemberRef> {
    code.insns.iter().flat_map(|insn| {
        let (mut member, mut handles) = (None, None);
        if let Insn::Invoke(_, called) = insn {
            member = Some(&**called);
        } else if let Insn::InvokeDynamic(call) = insn {
            handles = Some(call.args.iter().filter_map(|argument| {
                let Constant::MethodHandle(handle) = argument else { return None };
                Some(&*handle.member)
            }));
        }
        member.into_iter().chain(handles.into_iter().flatten())
    })
}

impl Walk<'_> {
    fn follow(&mut self, class: &Rc<ClassFile>, method: &MethodInfo) -> Result<(), String> {
        let is_known = |(owner, known): &(Rc<ClassFile>, MethodInfo)| {
            owner.name == class.name
                && known.name == method.name
                && known.descriptor == method.descriptor
        };
        if self.found.iter().any(is_known) {
            return Ok(());
        }
        self.found.push((Rc::clone(class), method.clone()));
        self.same_class(&class.name)?;
        let Some(code) = class.code(method).map_err(|error| error.to_string())? else {
            return Ok(());
        };
        for insn in &code.insns {
            self.look(insn)?;
        }
        for handler in &code.handlers {
            if let Some(class) = &handler.catch {
                self.same_class(class)?;
            }
        }
        for member in called(&code) {
            self.call(member)?;
        }
        Ok(())
    }

    fn call(&mut self, member: &MemberRef) -> Result<(), String> {
        let Some(class) = class_of(self.older, &member.class) else { return Ok(()) };
        self.same_class(&member.class)?;
        if &*member.name == CONSTRUCTOR {
            let is_same = method_of(class, &member.name, &member.descriptor)
                .is_some_and(|method| self.is_unchanged(class, method, &mut BTreeSet::new()));
            return match is_same {
                true => Ok(()),
                false => Err(format!("constructors of `{}` differ", shown(&member.class))),
            };
        }
        // Whatever class has such a method may be meant.
        let all = self.older.iter().filter_map(|class| {
            let method = method_of(class, &member.name, &member.descriptor)?;
            Some((Rc::clone(class), method.clone()))
        });
        for (class, method) in all.collect::<Vec<_>>() {
            self.follow(&class, &method)?;
        }
        Ok(())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else names classes and fields")]
    fn look(&self, insn: &Insn) -> Result<(), String> {
        match insn {
            Insn::GetField(member) | Insn::PutField(member) => self.same_field(member, false),
            Insn::GetStatic(member) | Insn::PutStatic(member) => self.same_field(member, true),
            Insn::New(class)
            | Insn::NewRefArray(class)
            | Insn::NewMultiArray(class, _)
            | Insn::CheckCast(class)
            | Insn::InstanceOf(class) => self.same_class(class),
            _ => Ok(()),
        }
    }

    /// The class has the same place among others in both versions.
    fn same_class(&self, name: &str) -> Result<(), String> {
        let name = name.trim_start_matches('[');
        let name = name.strip_prefix('L').and_then(|it| it.strip_suffix(';')).unwrap_or(name);
        let Some(older) = class_of(self.older, name) else { return Ok(()) };
        let Some(newer) = class_of(self.newer, name) else {
            return Err(format!("the newer version has no class `{}`", shown(name)));
        };
        if older.superclass != newer.superclass || older.interfaces != newer.interfaces {
            return Err(format!("what `{}` extends and implements differs", shown(name)));
        }
        Ok(())
    }

    fn same_field(&self, member: &MemberRef, is_static: bool) -> Result<(), String> {
        let mut owner = class_of(self.older, &member.class);
        let is_it =
            |field: &&FieldInfo| field.name == member.name && field.access.is_static() == is_static;
        while let Some(class) = owner {
            self.same_class(&class.name)?;
            let Some(field) = class.fields.iter().find(is_it) else {
                owner = class.superclass.as_ref().and_then(|above| class_of(self.older, above));
                continue;
            };
            let newer = class_of(self.newer, &class.name);
            let newer = newer.and_then(|class| class.fields.iter().find(is_it));
            let is_same = newer.is_some_and(|newer| {
                newer.descriptor == field.descriptor && newer.constant == field.constant
            });
            if !is_same {
                let class = shown(&class.name);
                return Err(format!(
                    "the newer version has no field `{class}.{}` of this type",
                    field.name
                ));
            }
            let initializer = class.methods.iter().find(|it| &*it.name == "<clinit>");
            let newer = class_of(self.newer, &class.name);
            let has_newer =
                newer.is_some_and(|it| it.methods.iter().any(|it| &*it.name == "<clinit>"));
            let starts_same = match initializer {
                Some(method) => self.is_unchanged(class, method, &mut BTreeSet::new()),
                None => !has_newer,
            };
            if is_static && !starts_same {
                return Err(format!("`{}` is initialized otherwise", shown(&class.name)));
            }
            return Ok(());
        }
        Ok(())
    }

    /// Whether a method, and all that it calls, is the same in both versions.
    fn is_unchanged(
        &self,
        class: &ClassFile,
        method: &MethodInfo,
        seen: &mut BTreeSet<(Rc<str>, Rc<str>, Rc<str>)>,
    ) -> bool {
        let key = [&class.name, &method.name, &method.descriptor].map(Rc::clone);
        if !seen.insert(key.into()) {
            return true;
        }
        let newer = class_of(self.newer, &class.name);
        let newer =
            newer.and_then(|it| Some((it, method_of(it, &method.name, &method.descriptor)?)));
        let Some((newer_class, newer)) = newer else { return false };
        let (Ok(old), Ok(new)) = (class.code(method), newer_class.code(newer)) else {
            return false;
        };
        let (old, new) = match (old, new) {
            (None, None) => return true,
            (Some(old), Some(new)) => (old, new),
            (Some(_), None) | (None, Some(_)) => return false,
        };
        old.insns == new.insns
            && old.handlers == new.handlers
            && called(&old).all(|member| {
                let mut all = self.older.iter().filter_map(|class| {
                    Some((class, method_of(class, &member.name, &member.descriptor)?))
                });
                class_of(self.older, &member.class).is_none()
                    || all.all(|(class, method)| self.is_unchanged(class, method, seen))
            })
    }

    /// Code of the library would call the newer version of a method.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else calls")]
    fn library_calls(&self) -> Result<(), String> {
        let calls_library = self.found.iter().any(|(class, method)| {
            let Ok(Some(code)) = class.code(method) else { return false };
            code.insns.iter().any(|insn| match insn {
                Insn::Invoke(_, member) => {
                    class_of(self.older, &member.class).is_none() && !is_quiet(member)
                }
                Insn::InvokeDynamic(_) => true,
                _ => false,
            })
        });
        if !calls_library {
            return Ok(());
        }
        for class in self.older {
            let is_foreign = |name: &Rc<str>| class_of(self.older, name).is_none();
            let has_foreign = class.interfaces.iter().any(is_foreign)
                || class
                    .superclass
                    .as_ref()
                    .is_some_and(|above| &**above != "java/lang/Object" && is_foreign(above));
            for method in &class.methods {
                let is_own = method.access.is_static()
                    || method.access.is_private()
                    || method.name.starts_with('<');
                let may_be_called = has_foreign || OF_OBJECTS.contains(&&*method.name);
                if !is_own
                    && may_be_called
                    && !self.is_unchanged(class, method, &mut BTreeSet::new())
                {
                    let class = shown(&class.name);
                    let name = &method.name;
                    return Err(format!("`{class}.{name}` differs, which the library may call"));
                }
            }
        }
        Ok(())
    }
}

fn shown(class: &str) -> String {
    class.replace(['/', '$'], ".")
}
