//! Damaged and strange class files end in a diagnostic or in `Unsupported`, never in a panic.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

mod kit;

use std::path::Path;

use glassbox_jvm_front::classfile::ClassFile;
use glassbox_jvm_front::{ClassPath, Selection, translate};
use glassbox_testkit::Random;

/// A class with every kind of constant and many opcodes, from the corpus.
fn seed_classes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/java");
    let names = ["Control", "Objects1", "Statics1"];
    let files: Vec<_> = names.iter().map(|name| corpus.join(format!("{name}.java"))).collect();
    kit::compile(&files, folder);
    let read = |name: &&str| {
        let bytes = std::fs::read(folder.join(format!("{name}.class"))).expect("compiled");
        ((*name).to_owned(), bytes)
    };
    names.iter().map(read).collect()
}

/// Reads a class and all its code.
fn read_all(bytes: &[u8]) -> bool {
    let Ok(class) = ClassFile::read(bytes) else { return false };
    class.methods.iter().all(|method| class.code(method).is_ok())
}

#[test]
fn truncated_class_files_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    for (_, bytes) in seed_classes(folder.path()) {
        assert!(read_all(&bytes));
        for len in 0..bytes.len() {
            assert!(!read_all(&bytes[..len]), "{len} of {} bytes", bytes.len());
        }
    }
}

#[test]
fn mutated_class_files_never_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random::new(3);
    let mut n_readable = 0;
    let seeds = seed_classes(folder.path());
    for (_, bytes) in &seeds {
        for _ in 0..3000 {
            let mutated = mutate(bytes, &mut random);
            n_readable += usize::from(read_all(&mutated));
        }
    }
    assert!(n_readable > 100, "mutations should often stay readable: {n_readable}");
}

fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutated = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(mutated.len() as u64) as usize;
        mutated[at] = match random.below(4) {
            0 => random.draw() as u8,
            1 => mutated[at] ^ 1 << random.below(8),
            2 => 0xff,
            _ => 0,
        };
    }
    mutated
}

/// Whatever is readable is also translated without a panic, and the result is well formed.
#[test]
fn mutated_classes_translate_to_valid_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = kit::jdk_home();
    let mut random = Random::new(4);
    let seeds = seed_classes(folder.path());
    let mut n_translated = 0;
    let work = tempfile::tempdir().expect("a folder");
    for round in 0..40 {
        let (name, bytes) = &seeds[round % seeds.len()];
        let mutated = mutate(bytes, &mut random);
        let path = work.path().join(format!("{name}.class"));
        std::fs::write(&path, &mutated).expect("the folder is writable");
        let selection = Selection::default();
        let options = glassbox_jvm_front::Options { max_methods: 150, ..Default::default() };
        let class_path = ClassPath::new(&[path], &[folder.path().to_owned()], Some(&home));
        let translated = class_path.and_then(|path| translate(path, &selection, options));
        if let Ok(java) = translated {
            n_translated += 1;
            let errors = glassbox_ir::verify::verify_program(&java.program);
            assert!(errors.is_empty(), "round {round}: {:?}", errors.first());
        }
    }
    assert!(n_translated > 5, "some should be translated: {n_translated}");
}

#[test]
fn what_is_missing_is_said() {
    let home = kit::jdk_home();
    let folder = tempfile::tempdir().expect("a folder");
    seed_classes(folder.path());
    let say = |paths: &[&Path], class: &str, method: &str| {
        let paths: Vec<_> = paths.iter().map(|path| (*path).to_owned()).collect();
        let some = |text: &str| if text.is_empty() { vec![] } else { vec![text.to_owned()] };
        let selection =
            Selection { classes: some(class), methods: some(method), ..Selection::default() };
        ClassPath::new(&paths, &[], Some(&home))
            .and_then(|path| translate(path, &selection, Default::default()))
            .expect_err("something is missing")
            .to_string()
    };
    let missing = say(&[folder.path()], "Nowhere", "");
    assert!(missing.contains("class Nowhere is not on the class path"), "{missing}");
    let missing = say(&[folder.path()], "Control", "nothing");
    assert!(missing.contains("no method `nothing`"), "{missing}");
    let text = folder.path().join("text.class");
    std::fs::write(&text, "not a class").expect("the folder is writable");
    let missing = say(&[&text], "", "");
    assert!(missing.contains("this is not a class file"), "{missing}");
    let jar = folder.path().join("broken.jar");
    std::fs::write(&jar, "PK\u{3}\u{4} no directory").expect("the folder is writable");
    let missing = say(&[&jar], "", "");
    assert!(missing.contains("not a jar"), "{missing}");
    let none = ClassPath::new(&[folder.path().to_owned()], &[], Some(Path::new("/nowhere")));
    assert!(none.expect_err("no JDK").to_string().contains("no JDK"));
}

/// A method that uses a class which is gone runs until it needs it.
#[test]
fn a_class_that_is_gone_is_unsupported_where_it_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("Uses.java");
    let text = "public class Uses { static int f(int n) { return n > 0 ? n : new Gone().x; } }\n\
                class Gone { int x; }\n";
    std::fs::write(&source, text).expect("the folder is writable");
    kit::compile(&[source], folder.path());
    std::fs::remove_file(folder.path().join("Gone.class")).expect("compiled");
    let java = kit::translate_class(folder.path(), "Uses");
    let cases = kit::run_class(&java, "Uses", 30, &mut Random::new(5));
    assert!(cases.iter().any(|case| !case.ours.starts_with('?')));
    let unsupported: Vec<_> = cases.iter().filter(|case| case.ours.starts_with('?')).collect();
    assert!(!unsupported.is_empty());
    assert!(unsupported.iter().all(|case| case.ours.contains("class Gone")), "{unsupported:?}");
}
