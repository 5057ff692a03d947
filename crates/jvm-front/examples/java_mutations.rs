//! Class files with bytes changed, through reading, translation and the verifier of programs: `java_mutations SEED
//! ROUNDS`. A panic or an ill-formed program is a mistake; everything else is counted.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(clippy::print_stdout, reason = "an example")]

#[path = "../tests/kit/mod.rs"]
mod kit;

use std::path::{Path, PathBuf};

use glassbox_jvm_front::classfile::ClassFile;
use glassbox_jvm_front::{ClassPath, Options, Selection, translate};
use glassbox_testkit::Random;

fn main() {
    let args: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let [seed, n_rounds] = args.as_slice() else {
        println!("usage: java_mutations SEED ROUNDS");
        return;
    };
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/java");
    let mut sources: Vec<PathBuf> = std::fs::read_dir(corpus)
        .expect("the corpus")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "java"));
    sources.sort();
    let folder = tempfile::tempdir().expect("a folder");
    kit::compile(&sources, folder.path());
    let mut classes: Vec<PathBuf> = std::fs::read_dir(folder.path())
        .expect("classes")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "class"))
        .collect();
    classes.sort();
    let home = kit::jdk_home();
    let work = tempfile::tempdir().expect("a folder");
    let mut random = Random::new(*seed);
    let (mut n_unreadable, mut n_refused, mut n_translated) = (0, 0, 0);
    for round in 0..*n_rounds {
        let class = &classes[random.below(classes.len() as u64) as usize];
        let mut bytes = std::fs::read(class).expect("it was compiled");
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] = match random.below(4) {
                0 => random.draw() as u8,
                1 => bytes[at] ^ 1 << random.below(8),
                2 => 0xff,
                _ => 0,
            };
        }
        if ClassFile::read(&bytes).is_err() {
            n_unreadable += 1;
            continue;
        }
        let path = work.path().join(class.file_name().expect("a name"));
        std::fs::write(&path, &bytes).expect("the folder is writable");
        let options = Options { max_methods: 150, ..Default::default() };
        let class_path = ClassPath::new(&[path], &[folder.path().to_owned()], Some(&home));
        let translated =
            class_path.and_then(|path| translate(path, &Selection::default(), options));
        match translated {
            Ok(java) => {
                n_translated += 1;
                let errors = glassbox_ir::verify::verify_program(&java.program);
                assert!(errors.is_empty(), "seed {seed}, round {round}: {:?}", errors.first());
            }
            Err(_) => n_refused += 1,
        }
    }
    println!(
        "{n_rounds} rounds: {n_unreadable} cannot be read, {n_refused} refused, {n_translated} translated to \
         well-formed programs"
    );
}
