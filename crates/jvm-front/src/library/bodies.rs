//! Rows and bodies compared: what the table and the throwers name is in the class of models, and nothing else is.

use std::collections::BTreeSet;
use std::path::Path;

use glassbox_testkit::java::{Jdk, succeed};

use super::{MODELS, Model, Thrower, model_class, model_of};
use crate::ClassPath;
use crate::classfile::{Access, ClassFile, MethodCode, MethodInfo};

/// Classes of the JDK with methods that are replaced.
const REPLACED: &[&str] = &[
    "java/io/PrintStream",
    "java/lang/String",
    "java/lang/System",
    "java/lang/Thread",
    "java/lang/ThreadLocal",
    "java/lang/reflect/Array",
    "java/security/AccessController",
    "java/util/EnumMap",
    "java/util/EnumSet",
    "java/util/Random",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicReference",
    "jdk/internal/util/Preconditions",
];

/// Bodies that neither a row nor a thrower asks for: `reach` gives the natives their meaning, and `Enum.valueOf` its body.
const OTHERS: &[&str] = &[
    "caseBeyondAscii",
    "enumConstants",
    "enumValueOf",
    "formatBeyond",
    "propertyBeyond",
    "randomBeyond",
    "write",
    "writeError",
];

/// Name and descriptor.
type Body = (String, String);

fn models() -> ClassFile {
    let bytes = model_class(MODELS).expect("the class of models is built in");
    ClassFile::read(bytes).expect("javac made it")
}

fn body(method: &MethodInfo) -> Body {
    (method.name.to_string(), method.descriptor.to_string())
}

/// Names that rows give: the table is a function, so its text is read.
fn named_by_rows() -> BTreeSet<&'static str> {
    let text = include_str!("table.rs");
    let rows = text.split("Model::Replace(\"").skip(1);
    rows.filter_map(|rest| Some(rest.split_once('"')?.0)).collect()
}

/// The throwers, each after the one before it.
fn next(thrower: Thrower) -> Option<Thrower> {
    match thrower {
        Thrower::Arithmetic => Some(Thrower::NullPointer),
        Thrower::NullPointer => Some(Thrower::ArrayIndex),
        Thrower::ArrayIndex => Some(Thrower::NegativeArraySize),
        Thrower::NegativeArraySize => Some(Thrower::ArrayStore),
        Thrower::ArrayStore => Some(Thrower::ClassCast),
        Thrower::ClassCast => Some(Thrower::OutOfMemory),
        Thrower::OutOfMemory => Some(Thrower::CloneNotSupported),
        Thrower::CloneNotSupported => Some(Thrower::ArrayCopy),
        Thrower::ArrayCopy => Some(Thrower::InitializerFailed),
        Thrower::InitializerFailed => Some(Thrower::NoClassDef),
        Thrower::NoClassDef => None,
    }
}

fn thrown() -> BTreeSet<Body> {
    let all = std::iter::successors(Some(Thrower::Arithmetic), |thrower| next(*thrower));
    let all = all.flat_map(|thrower| [thrower.method(false), thrower.method(true)]);
    all.map(|(name, descriptor)| (name.to_owned(), descriptor.to_owned())).collect()
}

#[test]
fn every_row_names_a_body() {
    let models = models();
    let rows = named_by_rows();
    assert!(rows.contains("lineSeparator") && rows.contains("printf"), "{rows:?}");
    for name in rows {
        let named: Vec<&MethodInfo> = models.methods.iter().filter(|m| &*m.name == name).collect();
        assert!(!named.is_empty(), "GlassboxModels should have a method `{name}`");
        for method in named {
            assert!(method.access.is_static(), "`{name}` should be static");
            assert!(matches!(method.code, MethodCode::Raw { .. }), "`{name}` should have code");
        }
    }
}

#[test]
fn every_thrower_has_a_body() {
    let models = models();
    for wanted in thrown() {
        let found = models.methods.iter().find(|method| body(method) == wanted);
        assert!(found.is_some_and(|method| method.access.is_static()), "{wanted:?}");
    }
}

#[test]
fn every_body_is_asked_for() {
    let (rows, thrown) = (named_by_rows(), thrown());
    let mut others = BTreeSet::new();
    for method in models().methods.iter().filter(|method| !method.access.is_private()) {
        if !rows.contains(&*method.name) && !thrown.contains(&body(method)) {
            others.insert(method.name.to_string());
        }
    }
    assert_eq!(others, OTHERS.iter().map(|name| (*name).to_owned()).collect());
}

#[test]
fn natives_have_a_meaning_of_their_own() {
    // Whatever `reach` does not know by name counts as letters beyond ASCII.
    let models = models();
    let natives = models.methods.iter().filter(|method| method.access.has(Access::NATIVE));
    let natives: BTreeSet<&str> = natives.map(|method| &*method.name).collect();
    let known = [
        "caseBeyondAscii",
        "enumConstants",
        "formatBeyond",
        "propertyBeyond",
        "randomBeyond",
        "write",
        "writeError",
    ];
    assert_eq!(natives, known.into());
}

#[test]
fn bodies_have_the_parameters_of_what_they_replace() {
    let Some(jdk) = Jdk::find() else { return };
    let mut class_path = ClassPath::new(&[], &[], Some(&jdk.home)).expect("a JDK is readable");
    let mut replaced: BTreeSet<Body> = BTreeSet::new();
    for class in REPLACED {
        let file = class_path.class_file(class).unwrap_or_else(|| panic!("{class} should exist"));
        for method in &file.methods {
            let model = model_of(class, &method.name, &method.descriptor);
            let Some(Model::Replace(name)) = model else { continue };
            let mut descriptor = method.descriptor.to_string();
            if !method.access.is_static() {
                descriptor.replace_range(0..1, &format!("(L{class};"));
            }
            replaced.insert((name.to_owned(), descriptor));
        }
    }
    let rows = named_by_rows();
    let models = models();
    let rowed = models.methods.iter().filter(|method| rows.contains(&*method.name));
    for method in rowed.map(body) {
        assert!(replaced.contains(&method), "{method:?} should replace a method of the JDK");
    }
    for name in rows {
        assert!(replaced.iter().any(|(known, _)| known == name), "{name} should replace a method");
    }
}

#[test]
fn the_class_is_what_its_source_says() {
    let Some(jdk) = Jdk::find() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("library");
    let mut javac = jdk.program("javac");
    javac.arg("--patch-module").arg(format!("java.base={}", library.display()));
    javac.arg("-d").arg(folder.path()).arg(library.join(format!("{MODELS}.java")));
    succeed(&mut javac);
    let made = std::fs::read(folder.path().join(format!("{MODELS}.class"))).expect("javac made it");
    let kept = model_class(MODELS).expect("the class of models is built in");
    let (new, old) = (ClassFile::read(&made).expect("javac made it"), models());
    let methods = |class: &ClassFile| -> Vec<(Body, u16)> {
        class.methods.iter().map(|method| (body(method), method.access.0)).collect()
    };
    assert_eq!(methods(&new), methods(&old), "the methods of the source and of the class");
    // Other releases of the compiler write other code for the same source.
    if new.major == old.major {
        assert!(made == kept, "GlassboxModels.class should be compiled again");
    }
}
