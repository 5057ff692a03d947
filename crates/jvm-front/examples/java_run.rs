//! Runs a static method in the interpreter: `java_run CLASSPATH CLASS METHOD [ARGS...]`. With `-ir` as the
//! last argument, prints the method's IR instead.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(clippy::print_stdout, reason = "an example")]

use std::path::{Path, PathBuf};

use glassbox_interp::java::{parse_value, run_java, write_value};
use glassbox_interp::{Externals, Machine, Options};
use glassbox_jvm_front::{ClassPath, Selection, Surroundings, translate};
use glassbox_libc::JavaLibrary;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, class, method, rest @ ..] = args.as_slice() else {
        println!("usage: java_run CLASSPATH CLASS METHOD [ARGS...]");
        return;
    };
    let home = std::env::var("JAVA_HOME").unwrap_or("/usr/lib/jvm/java-17-openjdk-amd64".into());
    let paths = [PathBuf::from(path)];
    let started = std::time::Instant::now();
    let selection = Selection {
        classes: vec![class.clone()],
        methods: vec![method.clone()],
        ..Selection::default()
    };
    let surroundings = Surroundings::Imitated;
    let one_run = glassbox_jvm_front::Options { surroundings, ..Default::default() };
    let translated = ClassPath::new(&paths, &[], Some(Path::new(&home)))
        .and_then(|path| translate(path, &selection, one_run));
    let java = match translated {
        Ok(java) => java,
        Err(diagnostic) => {
            println!("{diagnostic}");
            return;
        }
    };
    let program = &java.program;
    let errors = glassbox_ir::verify::verify_program(program);
    println!(
        "{} functions, {} classes, {} globals, {} instructions, {:?}, {} errors",
        program.functions.len(),
        program.classes.len(),
        program.globals.len(),
        program
            .functions
            .iter()
            .flat_map(|f| &f.body)
            .flat_map(|b| &b.blocks)
            .map(|b| b.instrs.len())
            .sum::<usize>(),
        started.elapsed(),
        errors.len()
    );
    for error in errors.iter().take(5) {
        println!("{error:?}");
    }
    if rest.last().is_some_and(|last| last == "-ir") {
        println!("{}", glassbox_ir::text::print_program(program));
        return;
    }
    let library = JavaLibrary::new();
    let mut machine =
        Machine::new(program, Options::default(), Box::new(library.clone())).expect("globals fit");
    for &entry in &java.entries {
        machine.reset();
        let params = &program.function(entry).params;
        if params.len() != rest.len() {
            continue;
        }
        let mut words = Vec::new();
        for (param, text) in params.iter().zip(rest) {
            let value = parse_value(program, param.source_type, text).expect("a value of the type");
            words.push(write_value(&mut machine, param.source_type, &value).expect("it fits"));
        }
        let started = std::time::Instant::now();
        let ending = run_java(&mut machine, entry, &words);
        print!("{}", String::from_utf8_lossy(&library.stdout()));
        println!("{ending:?} {} steps {:?}", machine.steps(), started.elapsed());
    }
}
