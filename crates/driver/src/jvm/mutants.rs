//! Mutants of Java methods: changed copies of their code, each with Java text that compares it with its method.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use glassbox_contract::Config;
use glassbox_ir::{Change, FuncId, Program};
use glassbox_jvm_front::changed::patch::{Patch, patched};
use glassbox_jvm_front::classfile::{Access, ClassFile, MethodCode, MethodInfo};
use glassbox_jvm_front::{CONTRACTS, CopyKind, JavaProgram, MethodName, MutantMethod};
use glassbox_mutate::{Operator, code_mutants};
use glassbox_replay::agent;
use glassbox_testcase::NotCompared;

use super::Jvm;
use super::begun::Begun;
use super::beyond;
use super::contract::requirements;
use super::made_method::{declared, descriptor, relation_descriptor};
use super::older::Older;
use super::relation::{self, Copied};
use super::subject::{Subject, subject, type_text};
use crate::c::CHOICE;
use crate::language::{Refusal, Schemata, Variant};
use crate::plan::Intake;

/// A mutant that was made, for people.
#[derive(Debug)]
pub(super) struct Described {
    operator: Operator,
    line: u32,
    original: String,
    replacement: String,
    /// Why nothing compares it with its method.
    obstacle: Option<String>,
    /// What the comparison leaves out.
    not_compared: Vec<NotCompared>,
    /// Class, name and descriptor of the method.
    target: MethodName,
    /// The change in the class file.
    patch: Option<Patch>,
}

impl Described {
    /// The class with the changed method; why there is none.
    fn class_file(&self, java: &JavaProgram) -> Result<Vec<u8>, String> {
        let (class, name, descriptor) = &self.target;
        let patch = self.patch.as_ref().ok_or_else(|| "it is in no class file".to_owned())?;
        let file = java.files.iter().find(|(known, _)| known == class);
        let (_, bytes) = file.ok_or_else(|| "its class is not among those given".to_owned())?;
        let changed = patched(bytes, (name, descriptor), patch).map_err(|e| e.to_string())?;
        changed.ok_or_else(|| "the changed method is too long".to_owned())
    }
}

/// Mutants as they are made.
#[derive(Debug, Default)]
pub(super) struct Mutants {
    /// Of all methods, where it is asked for.
    operators: Vec<Operator>,
    classes: Vec<String>,
    methods: Vec<String>,
    pub(super) made: Vec<MutantMethod>,
    pub(super) described: Vec<Described>,
    /// An older version that a method is compared with.
    pub(super) older: Option<Older>,
    /// What the comparison with it leaves out.
    pub(super) older_left_out: Vec<NotCompared>,
}

impl Mutants {
    /// Those of the methods that are worked on.
    pub(super) fn asked_by(intake: &Intake) -> Mutants {
        let operators = intake.mutated.as_ref().map(|it| it.operators.clone()).unwrap_or_default();
        let (classes, methods) = (intake.classes.clone(), intake.methods.clone());
        Mutants { operators, classes, methods, ..Mutants::default() }
    }

    pub(super) fn is_asked(&self) -> bool {
        !self.operators.is_empty() || self.older.is_some()
    }

    /// Adds the text of what compares mutants to the sources of contracts, by package.
    pub(super) fn write(
        &mut self,
        config: &Config,
        classes: &[Rc<ClassFile>],
        sources: &mut BTreeMap<String, String>,
    ) -> Result<(), Refusal> {
        self.made.clear();
        self.described.clear();
        self.write_older(config, classes, sources)?;
        if self.operators.is_empty() {
            return Ok(());
        }
        for class in classes {
            let dotted = class.name.replace(['/', '$'], ".");
            let is_class = |name: &String| name.replace(['/', '$'], ".") == dotted;
            if !(self.classes.is_empty() || self.classes.iter().any(is_class)) {
                continue;
            }
            let wanted: Vec<&MethodInfo> =
                class.methods.iter().filter(|method| self.is_wanted(method)).collect();
            for method in wanted {
                self.write_method(config, classes, class, method, sources)?;
            }
        }
        Ok(())
    }

    /// What compares a method with its older version.
    fn write_older(
        &mut self,
        config: &Config,
        classes: &[Rc<ClassFile>],
        sources: &mut BTreeMap<String, String>,
    ) -> Result<(), Refusal> {
        let Some(older) = &self.older else { return Ok(()) };
        let refuse = |why: String| {
            Refusal::error(format!("calls of `{}` cannot be compared: {why}", older.function))
        };
        let transplant = older.transplant(classes).map_err(refuse)?;
        let mut all = classes
            .iter()
            .flat_map(|class| class.methods.iter().map(move |method| (class, method)));
        let is_it = |(class, method): &(&Rc<ClassFile>, &MethodInfo)| {
            class.name == transplant.class.name
                && method.name == transplant.method.name
                && method.descriptor == transplant.method.descriptor
        };
        let found = all.find(is_it).filter(|(_, method)| {
            method.access.is_static() == transplant.method.access.is_static()
        });
        let found = found.and_then(|(class, method)| subject_of(classes, class, method));
        let subject = found.ok_or_else(|| refuse("it is another kind of method".to_owned()))?;
        let own = config.contracts.iter().find(|contract| contract.function == older.function);
        let required = own.map(requirements).unwrap_or_default();
        let (alias, name) = ("glassbox$older".to_owned(), "glassbox$versions".to_owned());
        let itself = "glassbox$newer".to_owned();
        let words = "both versions do the same";
        let newer = Begun::of(classes, &[(Rc::clone(&subject.class), subject.method.clone())]);
        let begun = newer.and(transplant.begun.clone());
        let copied = Copied { itself: &itself, copy: &alias, begun, required: &required };
        let compared = relation::comparison(config, &subject, classes, copied, words);
        let compared = compared.map_err(refuse)?;
        let class = &transplant.class;
        let package = class.name.rsplit_once('/').map_or("", |(package, _)| package);
        let source = sources.entry(package.to_owned()).or_default();
        source.push_str(&alias_text(&subject, &alias));
        source.push_str(&alias_text(&subject, &itself));
        source.push_str("  static ");
        source.push_str(&relation::method(&declared(&subject), &name, &compared.body));
        self.older_left_out = [
            transplant.left_out,
            beyond::not_compared(class, &transplant.method),
            beyond::not_compared(&subject.class, &subject.method),
            compared.not_compared,
        ]
        .concat();
        let folder = if package.is_empty() { String::new() } else { format!("{package}/") };
        let made = format!("{folder}{CONTRACTS}");
        let target = [&class.name, &transplant.method.name, &transplant.method.descriptor];
        self.made.push(MutantMethod {
            target: target.map(|part| part.to_string()).into(),
            copy: transplant.copy,
            alias: (made.clone(), alias, descriptor(&subject)),
            itself: (made.clone(), itself, descriptor(&subject)),
            comparison: Some((made, name, relation_descriptor(&subject))),
            others: transplant.others,
            kind: CopyKind::Older,
        });
        Ok(())
    }

    fn is_wanted(&self, method: &MethodInfo) -> bool {
        let full = format!("{}{}", method.name, method.descriptor);
        let is_named = |name: &String| **name == *method.name || *name == full;
        !method.name.starts_with('<')
            && !method.access.has(Access::SYNTHETIC)
            && (self.methods.is_empty() || self.methods.iter().any(is_named))
    }

    fn write_method(
        &mut self,
        config: &Config,
        classes: &[Rc<ClassFile>],
        class: &Rc<ClassFile>,
        method: &MethodInfo,
        sources: &mut BTreeMap<String, String>,
    ) -> Result<(), Refusal> {
        let package = class.name.rsplit_once('/').map_or("", |(package, _)| package);
        let source = sources.entry(package.to_owned()).or_default();
        let Ok(Some(code)) = class.code(method) else { return Ok(()) };
        let Some(subject) = subject_of(classes, class, method) else { return Ok(()) };
        let dotted = class.name.replace('/', ".");
        let own_name = format!("{dotted}.{}{}", method.name, method.descriptor);
        let own = config.contracts.iter().find(|contract| contract.function == own_name);
        let required = own.map(requirements).unwrap_or_default();
        let folder = if package.is_empty() { String::new() } else { format!("{package}/") };
        let made_class = format!("{folder}{CONTRACTS}");
        let beyond = beyond::not_compared(class, method);
        // Mutants start no class that the method does not start.
        let begun = Begun::of(classes, &[(Rc::clone(class), method.clone())]);
        let itself = format!("glassbox$f{}", self.made.len());
        for (number, mutant) in (1..).zip(code_mutants(&code, &method.descriptor, &self.operators))
        {
            let id = self.made.len();
            let alias = format!("glassbox$m{id}");
            let words = format!("{} and its mutant do the same", method.name);
            let copied =
                Copied { itself: &itself, copy: &alias, begun: begun.clone(), required: &required };
            let compared = relation::comparison(config, &subject, classes, copied, &words);
            let comparison = match &compared {
                Ok(relation) => {
                    let name = format!("glassbox$k{id}");
                    source.push_str(&alias_text(&subject, &alias));
                    if number == 1 {
                        source.push_str(&alias_text(&subject, &itself));
                    }
                    source.push_str("  static ");
                    source.push_str(&relation::method(&declared(&subject), &name, &relation.body));
                    Some((made_class.clone(), name, relation_descriptor(&subject)))
                }
                Err(_) => None,
            };
            let target =
                [&class.name, &method.name, &method.descriptor].map(|part| part.to_string());
            let target: MethodName = target.into();
            self.made.push(MutantMethod {
                target: target.clone(),
                copy: MethodInfo {
                    name: format!("{}$mutant${number}", method.name).into(),
                    access: Access(method.access.0 | Access::SYNTHETIC),
                    code: MethodCode::Made(Rc::new(mutant.code)),
                    ..method.clone()
                },
                alias: (made_class.clone(), alias, descriptor(&subject)),
                itself: (made_class.clone(), itself.clone(), descriptor(&subject)),
                comparison,
                others: Vec::new(),
                kind: CopyKind::Mutant,
            });
            self.described.push(Described {
                operator: mutant.operator,
                line: mutant.line,
                original: mutant.original,
                replacement: mutant.replacement,
                not_compared: {
                    let roughly = compared.as_ref().map(|it| it.not_compared.clone());
                    [beyond.clone(), roughly.unwrap_or_default()].concat()
                },
                obstacle: compared.err(),
                target,
                patch: mutant.patch,
            });
        }
        Ok(())
    }
}

fn subject_of(
    classes: &[Rc<ClassFile>],
    class: &Rc<ClassFile>,
    method: &MethodInfo,
) -> Option<Subject> {
    let signature = glassbox_jvm_front::descriptor::Signature::parse(&method.descriptor)?;
    let types: Vec<String> = signature.params.iter().map(type_text).collect();
    let dotted = class.name.replace(['/', '$'], ".");
    let found = subject(classes, &format!("{dotted}.{}({})", method.name, types.join(", ")))?;
    (found.class.name == class.name && found.method.descriptor == method.descriptor)
        .then_some(found)
}

/// The method that compilers see in the place of the copy.
fn alias_text(subject: &Subject, name: &str) -> String {
    let (result, value) = match subject.result.as_deref() {
        None => ("void", ""),
        Some(ty @ "boolean") => (ty, " return false;"),
        Some(ty @ ("int" | "long" | "short" | "byte" | "char" | "float" | "double")) => {
            (ty, " return 0;")
        }
        Some(ty) => (ty, " return null;"),
    };
    format!("  static {result} {name}({}) throws Throwable {{{value} }}\n", declared(subject))
}

/// The mutants of a method.
pub(super) fn variants(jvm: &Jvm, function: FuncId) -> Vec<Variant> {
    let program = &jvm.java.program;
    let pairs = (1..).zip(jvm.mutants.iter().zip(&jvm.java.mutants));
    let own = pairs.filter_map(|(number, (described, lowered))| {
        let lowered = lowered.filter(|lowered| lowered.target == function)?;
        Some((number, described, lowered))
    });
    own.map(|(number, described, lowered)| {
        let (file, columns) = line_of(program, function, described.line);
        let comparison = match (&described.obstacle, lowered.comparison) {
            (Some(why), _) => Err(why.clone()),
            (None, Some(comparison)) => Ok(comparison),
            (None, None) => Err("the comparison could not be read".to_owned()),
        };
        Variant {
            operator: described.operator,
            start: (described.line, columns.0),
            end: (described.line, columns.1),
            file,
            original: described.original.clone(),
            replacement: described.replacement.clone(),
            function: Some(lowered.copy),
            comparison,
            not_compared: described.not_compared.clone(),
            chosen: described.class_file(&jvm.java).map(|_| number),
        }
    })
    .collect()
}

/// What a suite of the user needs to run with mutants: the classes that have some, once as they are and once with each of them, and
/// an agent that gives them to the JVM. All of it is left in a folder.
pub(super) fn schemata(jvm: &Jvm, folder: &Path) -> Result<Schemata, String> {
    let jdk = jvm.jdk.as_ref().ok_or_else(|| "no JDK is found".to_owned())?;
    let keep = |number: usize, class: &str, bytes: &[u8]| {
        let path = agent::class_file(folder, number, class);
        let parent = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        parent
            .and_then(|()| std::fs::write(&path, bytes))
            .map_err(|error| format!("{}: {error}", path.display()))
    };
    let is_mutated = |class: &String| jvm.mutants.iter().any(|mutant| mutant.target.0 == *class);
    for (class, bytes) in jvm.java.files.iter().filter(|(class, _)| is_mutated(class)) {
        keep(0, class, bytes)?;
    }
    for (number, mutant) in (1..).zip(&jvm.mutants) {
        // Those that cannot be made are not chosen either.
        if let Ok(bytes) = mutant.class_file(&jvm.java) {
            keep(number, &mutant.target.0, &bytes)?;
        }
    }
    let options = agent::options(jdk, folder, CHOICE).map_err(|error| error.to_string())?;
    let environment = vec![(agent::VARIABLE, options)];
    Ok(Schemata { files: Vec::new(), environment, trace: Some(agent::trace(folder)) })
}

/// The file of a method, and where the text of a line begins and ends.
fn line_of(program: &Program, function: FuncId, line: u32) -> (String, (u32, u32)) {
    let span = program.function(function).span;
    let Some(file) = program.files.get(span.file.index()).filter(|_| !span.is_nowhere()) else {
        return (String::new(), (1, 2));
    };
    let text = file.line(line).unwrap_or_default();
    let column = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1);
    let begin = text.chars().take_while(|letter| letter.is_whitespace()).count();
    let end = text.trim_end().chars().count().max(begin + 1);
    (file.path.clone(), (column(begin), column(end)))
}

/// All mutants, for criteria.
pub(super) fn changes(jvm: &Jvm) -> Vec<Change> {
    let program = &jvm.java.program;
    let mut functions: Vec<FuncId> =
        jvm.java.mutants.iter().flatten().map(|lowered| lowered.target).collect();
    functions.sort_unstable();
    functions.dedup();
    let of =
        |of: FuncId| variants(jvm, of).into_iter().filter_map(move |it| it.change(program, of));
    functions.into_iter().flat_map(of).collect()
}
