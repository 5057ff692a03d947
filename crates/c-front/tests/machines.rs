//! Types of other machines: sizes, alignments and offsets against clang for each of them, bytes of static variables
//! against `gcc -m32`.

#![allow(clippy::disallowed_methods, reason = "tests start compilers and write files")]

use std::fmt::Write as _;
use std::process::Command;

use glassbox_c_front::compile::compile;
use glassbox_c_front::flags::meaning;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_ir::{PointerSize, Program};
use glassbox_testkit::gcc::Compiled;
use glassbox_testkit::{Random, Tool, require};

/// What Debian's package of gcc for both machines brings along.
const MULTILIB: &str = "/usr/include/gnu/stubs-32.h";

const TARGETS: [&str; 7] = [
    "x86_64-linux-gnu",
    "i386-linux-gnu",
    "arm-none-eabi",
    "arm-linux-gnueabi",
    "aarch64-linux-gnu",
    "riscv32-unknown-elf",
    "riscv64-linux-gnu",
];

const MEMBERS: [&str; 16] = [
    "char $",
    "short $",
    "int $",
    "long $",
    "long long $",
    "float $",
    "double $",
    "long double $",
    "void *$",
    "int (*$)(void)",
    "char $[3]",
    "enum small $",
    "enum large $",
    "_Bool $",
    "struct pair $",
    "long long $[2]",
];

const UNITS: [(&str, u64); 8] = [
    ("signed char", 8),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long long", 64),
    ("enum small", 2),
    ("_Bool", 1),
];

/// The program of a text, compiled with these flags.
fn lowered(text: &str, flags: &[&str]) -> Program {
    let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
    let mut front = Front::new();
    front.set_meaning(meaning(&flags));
    front.add_unit("test.c", text.as_bytes().to_vec(), &mut |_| None);
    let compiled = compile(front, Promotion::Keep);
    let errors: Vec<String> =
        compiled.diagnostics.iter().filter(|it| it.is_error()).map(|it| it.message()).collect();
    assert_eq!(errors, Vec::<String>::new());
    compiled.program.expect("a program without errors")
}

/// A structure or union with random members; the names of those whose offset can be asked for.
fn aggregate(random: &mut Random, number: usize) -> (String, Vec<String>) {
    let keyword = if random.below(5) == 0 { "union" } else { "struct" };
    let mut text = format!("{keyword} T{number} {{ ");
    let mut names = Vec::new();
    for index in 0..1 + random.below(6) {
        if random.below(2) == 0 {
            let member = MEMBERS[random.below(MEMBERS.len() as u64) as usize];
            let name = format!("m{index}");
            let _ = write!(text, "{}; ", member.replace('$', &name));
            names.push(name);
            continue;
        }
        let (unit, most) = UNITS[random.below(UNITS.len() as u64) as usize];
        let is_named = random.below(4) != 0;
        let width = if is_named { 1 + random.below(most) } else { random.below(most + 1) };
        let name = if is_named { format!("m{index}") } else { String::new() };
        let _ = write!(text, "{unit} {name}:{width}; ");
    }
    text.push_str(if random.below(6) == 0 { "} __attribute__((packed));\n" } else { "};\n" });
    (text, names)
}

const PRELUDE: &str = "enum small { A, B, C }; enum large { L = 70000, N = -1 };
struct pair { char a; long long b; };
";

/// The value of each constant expression on the machine, as our front-end has it.
fn values(text: &str, expressions: &[String], flags: &[&str]) -> Vec<u128> {
    let mut text = text.to_owned();
    for (index, expression) in expressions.iter().enumerate() {
        let _ = writeln!(text, "enum {{ E{index} = {expression} }};");
    }
    for index in 0..expressions.len() {
        let _ = writeln!(text, "unsigned v{index} = E{index};");
    }
    let program = lowered(&text, flags);
    let value = |index: usize| {
        let global = program.globals.iter().find(|global| global.name == format!("v{index}"));
        let bytes = global.and_then(|global| global.initializer.as_ref()).map(|it| &it.bytes);
        let bytes = bytes.map(Vec::as_slice).unwrap_or_default();
        bytes.iter().rev().fold(0, |all, &byte| all << 8 | u128::from(byte))
    };
    (0..expressions.len()).map(value).collect()
}

#[test]
fn random_structures_lie_as_clang_lays_them_for_each_machine() {
    let Some(clang) = require(Tool::Program("clang-19")) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for target in TARGETS {
        let mut random = Random::new(11);
        let mut text = PRELUDE.to_owned();
        let mut expressions: Vec<String> =
            ["long", "void *", "long double", "enum small", "enum large", "int *[3]"]
                .map(|ty| format!("sizeof({ty})"))
                .to_vec();
        expressions.push("sizeof(sizeof(int))".to_owned());
        expressions.push("(char)-1 < 0".to_owned());
        expressions.push("sizeof(L'a') + (L'a' - 98 < 0)".to_owned());
        expressions
            .push("sizeof(2147483648) + 10 * sizeof(0x80000000) + 100 * sizeof(1L)".to_owned());
        for number in 0..150 {
            let (aggregate, names) = aggregate(&mut random, number);
            let keyword = aggregate.split(' ').next().unwrap_or_default();
            let name = format!("{keyword} T{number}");
            expressions.push(format!("sizeof({name})"));
            expressions.push(format!("_Alignof({name})"));
            let offsets = names.iter().map(|it| format!("__builtin_offsetof({name}, {it})"));
            expressions.extend(offsets);
            text.push_str(&aggregate);
        }
        let flag = format!("--target={target}");
        let ours = values(&text, &expressions, &[&flag]);
        let mut asked = text.clone();
        for (expression, value) in expressions.iter().zip(&ours) {
            let _ = writeln!(asked, "_Static_assert(({expression}) == {value}, \"{value}\");");
        }
        let path = folder.path().join("asked.c");
        std::fs::write(&path, asked).expect("writable");
        let output = Command::new(&clang)
            .args([&flag, "-w", "-fsyntax-only", "-ferror-limit=5"])
            .arg(&path)
            .output()
            .expect("clang starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{target}: {said}");
    }
}

/// Bytes that bit-fields, pointers and literals have in memory, printed by the program itself.
#[test]
fn static_variables_have_the_bytes_that_gcc_gives_them_for_32_bits() {
    let Some(_) = require(Tool::File(MULTILIB)) else { return };
    let mut random = Random::new(5);
    let mut text = PRELUDE.to_owned();
    let mut names = Vec::new();
    for number in 0..80 {
        let (aggregate, _) = aggregate(&mut random, number);
        let keyword = aggregate.split(' ').next().unwrap_or_default();
        let fields: Vec<&str> = aggregate
            .split("; ")
            .filter_map(|member| member.rsplit_once(' ')?.1.split_once(':'))
            .map(|(name, _)| name)
            .filter(|name| !name.is_empty())
            .collect();
        text.push_str(&aggregate);
        for field in fields {
            names.push(format!("s{number}{field}"));
            let _ = writeln!(text, "{keyword} T{number} s{number}{field} = {{ .{field} = 1 }};");
        }
    }
    for (index, value) in
        ["-1L", "1UL << 31", "sizeof(long)", "(long)0x80000001u", "-5 / 2L"].iter().enumerate()
    {
        names.push(format!("n{index}"));
        let _ = writeln!(text, "long n{index} = {value}; long long w{index} = {value};");
        names.push(format!("w{index}"));
    }
    let program = lowered(&text, &["-m32"]);
    assert_eq!(program.pointers, PointerSize::Four);
    let mut source = String::from("extern int printf(const char *, ...);\n");
    source.push_str(&text);
    source.push_str("int main(void) {\n");
    for name in &names {
        let _ = writeln!(
            source,
            "  for (unsigned i = 0; i < sizeof {name}; i++) printf(\"%02x\", ((unsigned char *)&{name})[i]);\n  \
             printf(\"\\n\");"
        );
    }
    source.push_str("  return 0; }\n");
    let output = Compiled::new(&source, &["-m32", "-O0"]).run(b"");
    let output = String::from_utf8(output).expect("hex digits");
    for (name, theirs) in names.iter().zip(output.lines()) {
        let global = program.globals.iter().find(|global| global.name == *name).expect("a global");
        let mut bytes = global.initializer.as_ref().map(|it| it.bytes.clone()).unwrap_or_default();
        bytes.resize(usize::try_from(global.size).expect("small"), 0);
        let ours: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let line = text.lines().find(|line| line.contains(name.as_str())).unwrap_or_default();
        assert_eq!(ours, theirs, "{line}");
    }
}
