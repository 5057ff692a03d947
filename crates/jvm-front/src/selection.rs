//! Which classes and methods a selection means.

use crate::classfile::MethodInfo;
use crate::diagnostics::Diagnostic;
use crate::entry::Selection;
use crate::lower::ContractMethod;
use crate::reach::{Options, Properties};
use crate::world::{MethodRef, TypeRef, World};

/// The methods to work on, and those of them that tests cannot call.
pub(crate) fn select_entries(
    world: &mut World,
    classes: &[TypeRef],
    selection: &Selection,
    options: Options,
) -> (Vec<MethodRef>, Vec<MethodRef>) {
    let mut entries = Vec::new();
    let mut hidden = Vec::new();
    for &class in classes {
        entries.extend(select_methods(world, class, &selection.methods));
        if !selection.methods.is_empty() {
            continue;
        }
        let constructors = select_constructors(world, class, &selection.contracts);
        let asks_for_errors = options.properties != Properties::None;
        let needs_more = needs_more_than_arguments(world, class);
        if asks_for_errors {
            hidden.extend(crate::kept::kept(world, class));
            if needs_more {
                hidden.extend(&constructors);
            }
        }
        if asks_for_errors || (options.has_harnesses && !needs_more) {
            entries.extend(constructors);
        }
    }
    for &method in &hidden {
        if !entries.contains(&method) {
            entries.push(method);
        }
    }
    (entries, hidden)
}

pub(crate) fn select_classes(
    world: &mut World,
    selection: &Selection,
    skipped: &mut Vec<Diagnostic>,
) -> Result<Vec<TypeRef>, Diagnostic> {
    let names: Vec<String> = if selection.classes.is_empty() {
        world.class_path().own_classes().to_vec()
    } else {
        selection.classes.iter().map(|name| name.replace('.', "/")).collect()
    };
    let mut classes = Vec::new();
    for name in &names {
        match world.load(name) {
            Ok(class) => classes.push(class),
            Err(why) => {
                let own = world.class_path().own_classes();
                let known: Vec<String> =
                    own.iter().take(10).map(|name| name.replace('/', ".")).collect();
                let mut diagnostic = Diagnostic::new(name.replace('/', "."), why.to_string());
                if !known.is_empty() {
                    diagnostic = diagnostic.with_help(format!("there are: {}", known.join(", ")));
                }
                // The selection does not name this very class.
                if selection.classes.is_empty() || selection.skips_unreadable {
                    skipped.push(diagnostic);
                } else {
                    return Err(diagnostic);
                }
            }
        }
    }
    if classes.is_empty() && !skipped.is_empty() {
        return Err(skipped.remove(0));
    }
    Ok(classes)
}

fn select_methods(world: &World, class: TypeRef, wanted: &[String]) -> Vec<MethodRef> {
    let Some(file) = world.info(class).class() else { return Vec::new() };
    let mut found = Vec::new();
    for (index, method) in (0u32..).zip(&file.methods) {
        let is_wanted = if wanted.is_empty() {
            is_ordinary(method)
        } else {
            let full = format!("{}{}", method.name, method.descriptor);
            wanted.iter().any(|name| **name == *method.name || *name == full)
        };
        let found_one = MethodRef { class, index };
        let is_made = wanted.is_empty() && world.is_made_for_enum(found_one);
        if is_wanted && !is_made && !method.access.is_abstract() {
            found.push(found_one);
        }
    }
    found
}

/// Whether `new` with arguments makes no object of the class: it is abstract, or needs an object around it.
fn needs_more_than_arguments(world: &World, class: TypeRef) -> bool {
    world.info(class).class().is_some_and(|file| {
        // Compilers leave out the field with the object around it where it is not read.
        let is_inner = file.nested_access.is_some_and(|access| !access.is_static());
        file.access.is_abstract() || is_inner
    })
}

/// Constructors that others can call and in which something can go wrong, or about which a contract speaks.
fn select_constructors(
    world: &World,
    class: TypeRef,
    contracts: &[ContractMethod],
) -> Vec<MethodRef> {
    let Some(file) = world.info(class).class() else { return Vec::new() };
    let is_enum = file.superclass.as_deref() == Some("java/lang/Enum");
    // What no source names runs where its only objects are made.
    let simple = file.name.rsplit(['/', '$']).next().unwrap_or_default();
    let is_nameless = simple.starts_with(|letter: char| letter.is_ascii_digit());
    if is_enum || is_nameless {
        return Vec::new();
    }
    let is_asked = |method: &MethodInfo| {
        contracts.iter().any(|contract| {
            let (of, name, descriptor) = &contract.target;
            (of.as_str(), name.as_str(), descriptor.as_str())
                == (&*file.name, &*method.name, &*method.descriptor)
        })
    };
    let all = (0u32..).zip(&file.methods).filter(|(_, method)| {
        &*method.name == "<init>"
            && !method.access.is_private()
            && !method.access.has(crate::classfile::Access::SYNTHETIC)
            && (is_asked(method) || !crate::recipe::only_stores(world, file, method))
    });
    all.map(|(index, _)| MethodRef { class, index }).collect()
}

/// Written by a person: not an initializer, not made by the compiler.
fn is_ordinary(method: &MethodInfo) -> bool {
    !method.name.starts_with('<') && !method.access.has(crate::classfile::Access::SYNTHETIC)
}

pub(crate) fn no_method(world: &World, classes: &[TypeRef], selection: &Selection) -> Diagnostic {
    let place = match classes {
        [only] => world.info(*only).dotted_name(),
        _ => "the classes".to_owned(),
    };
    let mut known: Vec<String> = Vec::new();
    for &class in classes {
        if let Some(file) = world.info(class).class() {
            let ordinary = file.methods.iter().filter(|method| is_ordinary(method));
            known.extend(ordinary.map(|method| method.name.to_string()));
        }
    }
    known.dedup();
    known.truncate(20);
    let message = match selection.methods.as_slice() {
        [] => "no method with code is defined here".to_owned(),
        names => format!("no method `{}` with code is defined here", names.join("`, `")),
    };
    let diagnostic = Diagnostic::new(place, message);
    if known.is_empty() {
        diagnostic
    } else {
        diagnostic.with_help(format!("there are: {}", known.join(", ")))
    }
}
