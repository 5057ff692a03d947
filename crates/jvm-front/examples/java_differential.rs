//! Java programs in the interpreter and on the real JVM: `java_differential [JAVAC_FLAGS] SEED CLASSES [CALLS]`
//! makes random classes of 20 methods each, `java_differential [JAVAC_FLAGS] FILE.java... [CALLS]` takes files.
//! Each method is called CALLS times (50 unless said). The JDK is that of `javac` on the path.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(clippy::print_stdout, reason = "an example")]

#[path = "../tests/kit/mod.rs"]
mod kit;

use glassbox_testkit::Random;
use glassbox_testkit::programs::java as java_classes;
use std::path::{Path, PathBuf};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (flags, args): (Vec<String>, Vec<String>) =
        args.into_iter().partition(|arg| arg.starts_with('-'));
    let (files, numbers): (Vec<String>, Vec<String>) =
        args.into_iter().partition(|arg| arg.ends_with(".java"));
    let numbers: Vec<u64> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let given: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let (sources, n_calls, mut random) = match (given.is_empty(), numbers.as_slice()) {
        (false, rest) => (given, rest.first(), Random::new(1)),
        (true, [seed, n_classes, rest @ ..]) => {
            let mut random = Random::new(*seed);
            (random_classes(folder.path(), *n_classes, &mut random), rest.first(), random)
        }
        (true, _) => {
            println!("usage: java_differential [JAVAC_FLAGS] SEED CLASSES [CALLS]");
            println!("       java_differential [JAVAC_FLAGS] FILE.java... [CALLS]");
            return;
        }
    };
    let n_calls = n_calls.map_or(50, |&calls| calls as usize);
    kit::compile_with(&flags, &sources, folder.path());
    let mut cases = Vec::new();
    for source in &sources {
        let class = source.file_stem().expect("a name").to_string_lossy();
        let java = kit::translate_class(folder.path(), &class);
        cases.extend(kit::run_class(&java, &class, n_calls, &mut random));
    }
    let complaints = kit::compare(folder.path(), &cases);
    let n_thrown = cases.iter().filter(|case| case.ours.starts_with('!')).count();
    let n_cases = cases.len();
    println!("{n_cases} runs, {n_thrown} with exceptions, {} disagreements", complaints.len());
    for complaint in complaints.iter().take(100) {
        println!("{complaint}");
    }
    if !complaints.is_empty() {
        let kept = folder.keep();
        println!("classes kept in {}", kept.display());
        std::process::exit(1);
    }
}

fn random_classes(folder: &Path, n_classes: u64, random: &mut Random) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for index in 0..n_classes {
        let file = folder.join(format!("R{index}.java"));
        let source = java_classes::random_class(&format!("R{index}"), 20, random);
        std::fs::write(&file, source).expect("the folder is writable");
        files.push(file);
    }
    files
}
