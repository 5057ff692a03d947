//! Random Java programs in the interpreter and on the real JVM: `java_differential SEED CLASSES [CALLS]`.
//! Each class has 20 methods, each method is called CALLS times (50 unless said).

#![expect(clippy::print_stdout, reason = "an example")]

#[path = "../tests/kit/mod.rs"]
mod kit;

use kit::random::Random;

fn main() {
    let args: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let [seed, n_classes, rest @ ..] = args.as_slice() else {
        println!("usage: java_differential SEED CLASSES [CALLS]");
        return;
    };
    let n_calls = rest.first().map_or(50, |&calls| calls as usize);
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random::new(*seed);
    let mut files = Vec::new();
    for index in 0..*n_classes {
        let file = folder.path().join(format!("R{index}.java"));
        let source = kit::sources::random_class(&format!("R{index}"), 20, &mut random);
        std::fs::write(&file, source).expect("the folder is writable");
        files.push(file);
    }
    kit::compile(&files, folder.path());
    let mut cases = Vec::new();
    for index in 0..*n_classes {
        let class = format!("R{index}");
        let java = kit::translate_class(folder.path(), &class);
        cases.extend(kit::run_class(&java, &class, n_calls, &mut random));
    }
    let complaints = kit::compare(folder.path(), &cases);
    let n_thrown = cases.iter().filter(|case| case.ours.starts_with('!')).count();
    let n_cases = cases.len();
    println!("{n_cases} runs, {n_thrown} with exceptions, {} disagreements", complaints.len());
    for complaint in complaints.iter().take(20) {
        println!("{complaint}");
    }
    if !complaints.is_empty() {
        let kept = folder.keep();
        println!("sources kept in {}", kept.display());
        std::process::exit(1);
    }
}
