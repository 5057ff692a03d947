//! Which classes are read as one program.
//!
//! A program has every class that its methods may come to, and where a reference may be to many classes, every call has
//! many targets. So the classes of a large library are several programs, each of a few classes and of what these need:
//! what is found in a class does not depend on how large the library around it is, and neither do time and memory.
//! Errors are looked for with the callers of a method, wherever they are: for that, classes are always one program.

use std::path::Path;

use glassbox_jvm_front::ClassPath;
use glassbox_jvm_front::classfile::{Access, ClassFile};
use glassbox_replay::java::Jdk;

use super::intake;
use crate::language::{Language, Part, Purpose, Refusal};
use crate::listener::Listener;
use crate::plan::Intake;

/// Methods of one program, about; a class is never divided.
const MAX_METHODS: usize = 150;

/// Some of the classes that are worked on.
#[derive(Debug, Clone)]
pub(super) struct Portion {
    /// Internal names.
    pub(super) classes: Vec<String>,
    /// What is about all classes is said with the first one.
    pub(super) is_first: bool,
}

pub(super) fn parts(intake: &Intake, purpose: Purpose) -> Vec<Part> {
    let portions = portions(intake, purpose);
    let n_portions = portions.len();
    let part = |(position, classes): (usize, Vec<String>)| {
        let name = name(intake, &classes);
        let source = intake.paths.first().filter(|_| n_portions > 1).cloned();
        let portion = (n_portions > 1).then_some(Portion { classes, is_first: position == 0 });
        let intake = intake.clone();
        let read = move |purpose: Purpose,
                         listener: &dyn Listener|
              -> Result<Box<dyn Language>, Refusal> {
            Ok(Box::new(intake::read(&intake, portion.as_ref(), purpose, listener)?))
        };
        Part { name, source, read: Box::new(read) }
    };
    portions.into_iter().enumerate().map(part).collect()
}

/// For people: where the classes are, the first one and the last one.
fn name(intake: &Intake, classes: &[String]) -> String {
    let file = intake.paths.first().and_then(|path| path.file_name()).unwrap_or_default();
    let simple = |name: &String| name.replace('/', ".");
    match classes {
        [] => String::new(),
        [only] => format!("{}: {}", Path::new(file).display(), simple(only)),
        [first, .., last] => {
            format!("{}: {} to {}", Path::new(file).display(), simple(first), simple(last))
        }
    }
}

/// The classes of each program; one without names has all that the user asks for.
fn portions(intake: &Intake, purpose: Purpose) -> Vec<Vec<String>> {
    let whole = vec![Vec::new()];
    let is_source = |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "java");
    let is_by_class = matches!(purpose, Purpose::Generate | Purpose::Look);
    if !intake.methods.is_empty() || !is_by_class || intake.paths.iter().any(is_source) {
        return whole;
    }
    let home = Jdk::find().map(|jdk| jdk.home);
    // What cannot be read is reported by whoever reads it.
    let Ok(mut class_path) = ClassPath::new(&intake.paths, &intake.class_path, home.as_deref())
    else {
        return whole;
    };
    let mut names = class_path.own_classes().to_vec();
    if !intake.classes.is_empty() {
        let chosen: Vec<String> =
            intake.classes.iter().map(|name| name.replace('.', "/")).collect();
        // Names that are unknown, and classes of the JDK, are looked at by whoever reads them.
        if !chosen.iter().all(|name| names.contains(name)) {
            return whole;
        }
        names.retain(|name| chosen.contains(name));
    }
    names.sort_by(|one, other| (top_level(one), one).cmp(&(top_level(other), other)));
    let mut portions: Vec<(Vec<String>, usize)> = Vec::new();
    for group in names.chunk_by(|one, other| top_level(one) == top_level(other)) {
        let n_methods: usize = group
            .iter()
            .filter_map(|name| class_path.class_file(name))
            .map(|it| n_methods(&it))
            .sum();
        match portions.last_mut() {
            Some((classes, n_known)) if *n_known + n_methods <= MAX_METHODS || *n_known == 0 => {
                classes.extend_from_slice(group);
                *n_known += n_methods;
            }
            Some(_) | None => portions.push((group.to_vec(), n_methods)),
        }
    }
    // Without methods it is no program.
    if let [.., (_, 0)] = portions.as_slice()
        && let Some((rest, _)) = portions.pop()
        && let Some((classes, _)) = portions.last_mut()
    {
        classes.extend(rest);
    }
    match portions.as_slice() {
        [] | [_] => whole,
        [_, _, ..] => portions.into_iter().map(|(classes, _)| classes).collect(),
    }
}

/// The class that a nested class is in.
fn top_level(name: &str) -> &str {
    let start = name.rfind('/').map_or(0, |slash| slash + 1);
    // A name may begin with the sign that is between others.
    let end = name[start..].char_indices().skip(1).find(|(_, letter)| *letter == '$');
    end.map_or(name, |(end, _)| &name[..start + end])
}

/// Methods that have code, written by people.
fn n_methods(class: &ClassFile) -> usize {
    let is_written = |access: Access| !access.is_abstract() && !access.has(Access::SYNTHETIC);
    let methods = class.methods.iter();
    methods.filter(|it| !it.name.starts_with('<') && is_written(it.access)).count()
}

#[cfg(test)]
mod tests {
    use super::top_level;

    #[test]
    fn nested_classes_belong_to_the_class_around_them() {
        assert_eq!(top_level("a/b/C$D$1"), "a/b/C");
        assert_eq!(top_level("a$b/C"), "a$b/C");
        assert_eq!(top_level("$Gson$Types"), "$Gson");
        assert_eq!(top_level("C"), "C");
    }
}
