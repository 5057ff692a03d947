//! Translates every method of a module of the JDK: `java_survey [FIRST_PACKAGE_PREFIX]` (all of java.base
//! unless said), and prints how many could be, and why not.
//!
//! Each class is translated by itself with a cap on what it reaches, so that the work is bounded.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(clippy::print_stdout, reason = "an example")]

#[path = "../tests/kit/mod.rs"]
mod kit;

use std::collections::BTreeMap;
use std::time::Instant;

use glassbox_ir::InstrKind;
use glassbox_jvm_front::{ClassPath, Options, Selection, translate};

/// Methods that are translated for one class beside its own: initializers come first.
const MORE: usize = 30;

/// The reason that only says that nothing makes objects of the receiver's type, since callers are not there.
const NO_RECEIVER: &str = "which no loaded class can run";

fn main() {
    let prefix = std::env::args().nth(1).unwrap_or_default().replace('.', "/");
    let home = kit::jdk_home();
    let class_path = || ClassPath::new(&[], &[], Some(&home)).expect("a JDK");
    let mut open = class_path();
    let names = open.module_classes("java.base");
    let names: Vec<String> = names.into_iter().filter(|name| name.starts_with(&prefix)).collect();
    let start = Instant::now();
    let (mut n_methods, mut n_whole) = (0, 0);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut n_refused, mut n_invalid) = (0, 0);
    for name in &names {
        let selection =
            Selection { classes: vec![name.clone()], methods: Vec::new(), ..Selection::default() };
        // What the class's own methods call needs no body here.
        let Some(class) = open.class_file(name) else {
            println!("{name} cannot be read");
            continue;
        };
        let max_methods = class.methods.len() + MORE;
        let options = Options { max_methods, plain_messages: true, ..Options::default() };
        let java = match translate(class_path(), &selection, options) {
            Ok(java) => java,
            // Interfaces and annotations without code.
            Err(_) => {
                n_refused += 1;
                continue;
            }
        };
        let errors = glassbox_ir::verify::verify_program(&java.program);
        if let Some(error) = errors.first() {
            n_invalid += 1;
            println!("{name}: {error:?}");
        }
        for &entry in &java.entries {
            n_methods += 1;
            let body = java.program.body(entry);
            let instrs = body.blocks.iter().flat_map(|block| &block.instrs);
            let gaps = instrs.filter_map(|instr| {
                let InstrKind::Unsupported { what, .. } = &instr.kind else { return None };
                Some(what.as_str())
            });
            let gaps = gaps.filter(|what| !what.ends_with(NO_RECEIVER));
            match gaps.min() {
                None => n_whole += 1,
                Some(what) => {
                    let is_cut = what.ends_with("which is not modeled");
                    let what = if is_cut { "cut off by the table of models" } else { what };
                    let kind = what.split(':').next_back().unwrap_or(what).trim();
                    let kind: String = kind.chars().take(60).collect();
                    *reasons.entry(kind).or_default() += 1;
                }
            }
        }
    }
    println!(
        "{} classes, {n_refused} without methods to translate, {n_invalid} with invalid programs; {n_methods} \
         methods: {n_whole} whole, {} with something unsupported; {:.1} s",
        names.len(),
        n_methods - n_whole,
        start.elapsed().as_secs_f64()
    );
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (reason, count) in reasons.iter().take(25) {
        println!("{count:>7}  {reason}");
    }
}
