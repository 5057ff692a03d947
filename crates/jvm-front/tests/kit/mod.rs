//! Runs Java methods in the interpreter and in the real JVM and compares how they end.
//!
//! One child JVM runs all cases: `Driver.java` reads method and arguments line by line. Messages of
//! exceptions are compared where ours has one; those that the JVM computes from its own state (helpful
//! null pointer messages, class casts) are left out.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]
#![allow(dead_code, unreachable_pub, reason = "every user of the kit needs a part of it")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use glassbox_interp::java::{Ending, Value, run_java, write_value};
use glassbox_interp::{Machine, Options};
use glassbox_ir::{FuncId, Program, SourceType, SourceTypeId};
use glassbox_jvm_front::{ClassPath, JavaProgram, Selection, translate};
use glassbox_libc::JavaLibrary;
use glassbox_testkit::Random;
use glassbox_testkit::java::Jdk;
use glassbox_values::{Float, Format};

/// Steps that one call may take.
const MAX_STEPS: u64 = 3_000_000;

/// The JDK; without one these tests have nothing to compare with, and fail.
fn jdk() -> Jdk {
    Jdk::find().expect("a JDK should be installed: `cargo xtask test` does it")
}

/// One concrete run imitates its surroundings, as `glassbox run` does.
fn one_run() -> glassbox_jvm_front::Options {
    let surroundings = glassbox_jvm_front::Surroundings::Imitated;
    glassbox_jvm_front::Options { surroundings, ..Default::default() }
}

pub fn jdk_home() -> PathBuf {
    jdk().home
}

/// Compiles sources, and the driver with them, into a folder.
pub fn compile(sources: &[PathBuf], folder: &Path) {
    compile_with(&[], sources, folder);
}

/// The same, with further flags of `javac`.
pub fn compile_with(flags: &[String], sources: &[PathBuf], folder: &Path) {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kit/Driver.java");
    jdk().compile(flags, &[&[driver], sources].concat(), folder);
}

/// All methods of a class, translated and verified.
pub fn translate_class(folder: &Path, class: &str) -> JavaProgram {
    let class_path = ClassPath::new(&[folder.to_owned()], &[], Some(&jdk_home()));
    let selection =
        Selection { classes: vec![class.to_owned()], methods: Vec::new(), ..Selection::default() };
    let translated = class_path.and_then(|class_path| translate(class_path, &selection, one_run()));
    let java = translated.unwrap_or_else(|diagnostic| panic!("{diagnostic}"));
    let errors = glassbox_ir::verify::verify_program(&java.program);
    assert!(errors.is_empty(), "{class}: {:?}", errors.first());
    java
}

/// One call of a method.
#[derive(Debug)]
pub struct Case {
    pub class: String,
    pub method: String,
    pub args: Vec<Value>,
    pub ours: String,
}

/// Calls every static method of a class `n_calls` times in the interpreter.
pub fn run_class(
    java: &JavaProgram,
    class: &str,
    n_calls: usize,
    random: &mut Random,
) -> Vec<Case> {
    let program = &java.program;
    let options = Options { max_steps: MAX_STEPS, ..Options::default() };
    let mut machine =
        Machine::new(program, options, Box::new(JavaLibrary::new())).expect("it fits");
    let mut cases = Vec::new();
    for &entry in &java.entries {
        let function = program.function(entry);
        let method = program.method(function.method.expect("a method"));
        if !method.is_static {
            continue;
        }
        let name = format!("{}{}", method.name, method.descriptor);
        let types: Vec<SourceTypeId> = function.params.iter().map(|p| p.source_type).collect();
        let n_calls = if types.is_empty() { 1 } else { n_calls };
        for _ in 0..n_calls {
            let args: Vec<Value> =
                types.iter().map(|&ty| random_value(program, ty, random)).collect();
            let ours = run_one(&mut machine, entry, &types, &args);
            cases.push(Case { class: class.to_owned(), method: name.clone(), args, ours });
        }
    }
    cases
}

fn run_one(
    machine: &mut Machine<'_>,
    entry: FuncId,
    types: &[SourceTypeId],
    args: &[Value],
) -> String {
    machine.reset();
    let mut words = Vec::new();
    for (&ty, value) in types.iter().zip(args) {
        words.push(write_value(machine, ty, value).expect("arguments fit their types"));
    }
    match run_java(machine, entry, &words) {
        Ending::Returned(value) => show(&value),
        Ending::Thrown { class, message } => {
            let message = message
                .map_or("n".to_owned(), |text| show(&Value::String(text.encode_utf16().collect())));
            format!("!{class} {message}")
        }
        Ending::Other(outcome) => format!("?{outcome:?}"),
    }
}

/// Values that find mistakes: limits, small numbers, special floats.
pub fn random_value(program: &Program, ty: SourceTypeId, random: &mut Random) -> Value {
    match program.source_type(ty) {
        SourceType::Bool => Value::Bool(random.below(2) == 1),
        SourceType::Int { width, is_char, .. } => {
            let bits = random.integer(*width);
            Value::Int(match (width, is_char) {
                (16, true) => i64::from(bits as u16),
                (8, _) => i64::from(bits as i8),
                (16, _) => i64::from(bits as i16),
                (32, _) => i64::from(bits as i32),
                _ => bits.cast_signed(),
            })
        }
        SourceType::Float { format: Format::F32, .. } => {
            Value::Float(Float::from_bits(random.float32().into(), Format::F32))
        }
        SourceType::Float { format, .. } => {
            Value::Float(Float::from_bits(random.float64(), *format))
        }
        SourceType::ClassArray { element } => {
            if random.below(16) == 0 {
                return Value::Null;
            }
            let n_elements = random.below(7);
            Value::Array((0..n_elements).map(|_| random_value(program, *element, random)).collect())
        }
        SourceType::Class(class) if program.class(*class).name == "java.lang.String" => {
            if random.below(24) == 0 { Value::Null } else { Value::String(random.text()) }
        }
        SourceType::Void
        | SourceType::Enum { .. }
        | SourceType::Pointer { .. }
        | SourceType::Array { .. }
        | SourceType::Record { .. }
        | SourceType::Function { .. }
        | SourceType::Named { .. }
        | SourceType::Class(_)
        | SourceType::Opaque { .. } => Value::Null,
    }
}

/// As `Driver` writes and reads values.
pub fn show(value: &Value) -> String {
    match value {
        Value::Void => "void".to_owned(),
        Value::Null => "n".to_owned(),
        Value::Bool(value) => if *value { "t" } else { "f" }.to_owned(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{:x}", value.to_bits()),
        Value::String(text) => {
            let units: String = text.iter().map(|unit| format!("{unit:04x}")).collect();
            format!("s{units}")
        }
        Value::Array(values) => {
            let parts: Vec<String> = values.iter().map(show).collect();
            format!("[{}]", parts.join(";"))
        }
        Value::Object(class) => format!("o{class}"),
    }
}

/// Where the real JVM disagrees, in words.
pub fn compare(folder: &Path, cases: &[Case]) -> Vec<String> {
    let mut input = String::new();
    for case in cases {
        input.push_str(&case.class);
        input.push('\t');
        input.push_str(&case.method);
        for arg in &case.args {
            input.push('\t');
            input.push_str(&show(arg));
        }
        input.push('\n');
    }
    let mut child = Command::new(jdk_home().join("bin/java"))
        .args(glassbox_library::environment::JavaAssertions::default().jvm_flags())
        .args(["-Xss8m", "-cp"])
        .arg(folder)
        .arg("Driver")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("java should start");
    let mut stdin = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("java should end");
    writer.join().expect("the writer ends").expect("the driver reads all");
    let text = String::from_utf8_lossy(&output.stdout);
    let theirs: Vec<&str> = text.lines().collect();
    assert_eq!(theirs.len(), cases.len(), "the driver should answer every line");
    let mut complaints = Vec::new();
    // One complaint for each method is enough to start with.
    let mut seen = std::collections::BTreeSet::new();
    for (case, theirs) in cases.iter().zip(theirs) {
        if !agrees(&case.ours, theirs) && seen.insert((&case.class, &case.method)) {
            let args: Vec<String> = case.args.iter().map(ToString::to_string).collect();
            complaints.push(format!(
                "{}.{}({}): ours {}, the JVM's {theirs}",
                case.class,
                case.method,
                args.join(", "),
                case.ours
            ));
        }
    }
    complaints
}

fn agrees(ours: &str, theirs: &str) -> bool {
    if ours == theirs {
        return true;
    }
    let (Some(ours), Some(theirs)) = (ours.strip_prefix('!'), theirs.strip_prefix('!')) else {
        return false;
    };
    let (our_class, our_message) = ours.split_once(' ').unwrap_or((ours, "n"));
    let (their_class, _) = theirs.split_once(' ').unwrap_or((theirs, "n"));
    our_class == their_class && our_message == "n"
}
