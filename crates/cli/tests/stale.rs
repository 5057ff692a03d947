//! Whatever is edited, a run that finds results of earlier ones leaves what a run without them leaves.

#![allow(clippy::disallowed_methods, reason = "tests start programs and change files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use glassbox_testkit::command::glassbox;
use glassbox_testkit::{Tool, folder, require};

/// Something that somebody does between two runs.
struct Edit {
    what: &'static str,
    words: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
    /// Makes what is no text, before the first run.
    before: fn(&Path),
    edit: fn(&Path),
    /// The first run ends with a diagnostic.
    is_refused: bool,
    /// For the second run.
    variables: &'static [(&'static str, &'static str)],
}

const CHECK: &[&str] = &["check", "a.c"];
const GEN: &[&str] = &["gen", "a.c", "--no-exec"];

const fn edit(
    what: &'static str,
    words: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
    edit: fn(&Path),
) -> Edit {
    Edit { what, words, files, before: |_| {}, edit, is_refused: false, variables: &[] }
}

fn replace(place: &Path, name: &str, from: &str, to: &str) {
    let text = fs::read_to_string(place.join(name)).expect("there");
    assert!(text.contains(from), "{name}: {from}");
    fs::write(place.join(name), text.replace(from, to)).expect("written");
}

fn put(place: &Path, name: &str, text: &str) {
    folder::write(place, name, text);
}

/// `f` fails only if N is 0.
const QUOTIENT: (&str, &str) = ("a.c", "#include \"n.h\"\nint f(void) { return 100 / N; }\n");

#[expect(clippy::too_many_lines, reason = "a table: a row for each edit")]
fn edits() -> Vec<Edit> {
    vec![
        edit("a macro in a header", CHECK, &[QUOTIENT, ("n.h", "#define N 5\n")], |at| {
            put(at, "n.h", "#define N 0\n");
        }),
        edit(
            "the same number in other words",
            CHECK,
            &[QUOTIENT, ("n.h", "#define N 5\n")],
            |at| {
                put(at, "n.h", "#define N (2 + 3)\n");
            },
        ),
        edit(
            "a header that shadows another",
            &["check", "a.c", "--", "-Ione", "-Itwo"],
            &[QUOTIENT, ("two/n.h", "#define N 5\n"), ("one/other.h", "")],
            |at| put(at, "one/n.h", "#define N 0\n"),
        ),
        edit(
            "a header beside the source that shadows another",
            &["check", "a.c", "--", "-Ione"],
            &[QUOTIENT, ("one/n.h", "#define N 5\n")],
            |at| put(at, "n.h", "#define N 0\n"),
        ),
        edit(
            "a header that shadows one whose name is spelled in trigraphs and over two lines",
            &["check", "a.c", "--", "-std=c99", "-Ione", "-Itwo"],
            &[
                ("a.c", "?\x3f=incl\\\nude <n.h>\nint f(void) { return 100 / N; }\n"),
                ("two/n.h", "#define N 5\n"),
                ("one/other.h", ""),
            ],
            |at| put(at, "one/n.h", "#define N 0\n"),
        ),
        edit(
            "a header that a digraph includes",
            CHECK,
            &[
                ("a.c", "%:/* */include/* */\"n.h\"\nint f(void) { return 100 / N; }\n"),
                ("n.h", "#define N 5\n"),
            ],
            |at| put(at, "n.h", "#define N 0\n"),
        ),
        edit(
            "a header of the same length and age",
            CHECK,
            &[QUOTIENT, ("n.h", "#define N 5\n")],
            |at| {
                let file = fs::File::options().write(true).open(at.join("n.h")).expect("there");
                let age = file.metadata().and_then(|known| known.modified()).expect("an age");
                fs::write(at.join("n.h"), "#define N 0\n").expect("written");
                file.set_modified(age).expect("set");
            },
        ),
        edit(
            "a file that only the assembler reads",
            &["gen", "a.c"],
            &[
                (
                    "a.c",
                    "__asm__(\".section .note.x\\n.incbin \\\"b\\\"\\n.text\");\nint f(int x) { return x; }\n",
                ),
                ("b", "abc"),
            ],
            |at| fs::remove_file(at.join("b")).expect("removed"),
        ),
        edit(
            "a header in front of the next one",
            &["check", "a.c", "--", "-Ione", "-Itwo", "-Ithree"],
            &[
                QUOTIENT,
                ("one/n.h", "#include_next <n.h>\n"),
                ("two/other.h", ""),
                ("three/n.h", "#define N 5\n"),
            ],
            |at| put(at, "two/n.h", "#define N 0\n"),
        ),
        edit(
            "a header that there is now",
            CHECK,
            &[(
                "a.c",
                "#if __has_include(\"n.h\")\n#define N 0\n#else\n#define N 5\n#endif\nint f(void) { return 100 / N; }\n",
            )],
            |at| put(at, "n.h", ""),
        ),
        Edit {
            before: |at| std::os::unix::fs::symlink("five.h", at.join("n.h")).expect("a link"),
            ..edit(
                "a link that leads elsewhere",
                CHECK,
                &[QUOTIENT, ("five.h", "#define N 5\n"), ("zero.h", "#define N 0\n")],
                |at| {
                    fs::remove_file(at.join("n.h")).expect("removed");
                    std::os::unix::fs::symlink("zero.h", at.join("n.h")).expect("a link");
                },
            )
        },
        edit(
            "a folder of headers that is exchanged",
            &["check", "a.c", "--", "-Iconfig"],
            &[QUOTIENT, ("config/n.h", "#define N 5\n"), ("new/n.h", "#define N 0\n")],
            |at| {
                fs::rename(at.join("config"), at.join("old")).expect("renamed");
                fs::rename(at.join("new"), at.join("config")).expect("renamed");
            },
        ),
        edit(
            "a file that is included by a flag",
            &["check", "a.c", "--", "-include", "flags.h"],
            &[("a.c", "int f(void) { return 100 / N; }\n"), ("flags.h", "#define N 5\n")],
            |at| put(at, "flags.h", "#define N 0\n"),
        ),
        edit(
            "a file with flags",
            &["check", "a.c", "--", "@flags"],
            &[("a.c", "int f(void) { return 100 / N; }\n"), ("flags", "-DN=5")],
            |at| put(at, "flags", "-DN=0"),
        ),
        edit(
            "a file with flags that only compilers read",
            &["gen", "a.c", "--", "@flags"],
            &[
                ("a.c", "int f(int x) { return __OPTIMIZE__ + 0 ? x > 3 : x > 4; }\n"),
                ("flags", "-O1"),
            ],
            |at| put(at, "flags", "-O1 -fno-inline -DNDEBUG"),
        ),
        edit(
            "the start of a global",
            CHECK,
            &[("a.c", "static const int n = 5;\nint f(void) { return 100 / n; }\n")],
            |at| replace(at, "a.c", "5", "0"),
        ),
        edit(
            "a table",
            CHECK,
            &[(
                "a.c",
                "static const int n[2] = {1, 5};\nint f(int i) { return 100 / n[i & 1]; }\n",
            )],
            |at| replace(at, "a.c", "5", "0"),
        ),
        edit(
            "the layout of a struct",
            CHECK,
            &[
                (
                    "a.c",
                    "#include \"s.h\"\nint f(void) { return 100 / (int)(sizeof(struct s) - 8); }\n",
                ),
                ("s.h", "struct s { int a, b, c; };\n"),
            ],
            |at| put(at, "s.h", "struct s { int a, b; };\n"),
        ),
        edit(
            "how a struct is packed",
            CHECK,
            &[
                (
                    "a.c",
                    "#include \"s.h\"\nint f(void) { return 100 / (int)(sizeof(struct s) - 5); }\n",
                ),
                ("s.h", "struct s { char a; int b; };\n"),
            ],
            |at| put(at, "s.h", "#pragma pack(1)\nstruct s { char a; int b; };\n"),
        ),
        edit(
            "the width of a field of bits",
            CHECK,
            &[
                (
                    "a.c",
                    "#include \"s.h\"\nint f(int x) { struct s s = { .b = x & 3 }; return 100 / (s.b != 3 || x == 3 ? 1 : 1 + s.b); }\n",
                ),
                ("s.h", "struct s { unsigned b : 3; };\n"),
            ],
            |at| put(at, "s.h", "struct s { unsigned b : 1; };\n"),
        ),
        edit(
            "a type by another name",
            CHECK,
            &[
                (
                    "a.c",
                    "#include \"t.h\"\nint f(number x) { return x + 1 > 100 ? 1 : 100 / (int)sizeof x; }\n",
                ),
                ("t.h", "typedef short number;\n"),
            ],
            |at| put(at, "t.h", "typedef int number;\n"),
        ),
        edit(
            "an enumerator",
            CHECK,
            &[
                (
                    "a.c",
                    "#include \"e.h\"\nint f(enum e x) { return x == LAST ? 1 : 100 / (2 - LAST); }\n",
                ),
                ("e.h", "enum e { FIRST, LAST };\n"),
            ],
            |at| put(at, "e.h", "enum e { FIRST, MIDDLE, LAST };\n"),
        ),
        edit(
            "an inline function in a header",
            CHECK,
            &[
                ("a.c", "#include \"i.h\"\nint f(int x) { return 100 / g(x); }\n"),
                ("i.h", "static inline int g(int x) { return x | 1; }\n"),
            ],
            |at| replace(at, "i.h", "| 1", "& 1"),
        ),
        edit(
            "what is called by what is called",
            CHECK,
            &[(
                "a.c",
                "static int h(int x) { return x | 1; }\nstatic int g(int x) { return h(x); }\nint f(int x) { return 100 / g(x); }\n",
            )],
            |at| replace(at, "a.c", "| 1", "& 1"),
        ),
        edit(
            "what a table of functions leads to",
            CHECK,
            &[(
                "a.c",
                "static int g(int x) { return x | 1; }\nstatic int h(int x) { return x & 1; }\nstatic int (*const t[1])(int) = { g };\nint f(int x) { return 100 / (h(x) + 1 + t[0](x)); }\n",
            )],
            |at| replace(at, "a.c", "{ g }", "{ h }"),
        ),
        edit(
            "a function that does not come back",
            GEN,
            &[
                (
                    "a.c",
                    "#include \"d.h\"\nint f(int x) { if (x > 3) stop(x); return x > 4 ? 1 : 2; }\n",
                ),
                ("d.h", "void stop(int);\n"),
            ],
            |at| put(at, "d.h", "_Noreturn void stop(int);\n"),
        ),
        edit(
            "who calls the function again",
            &["check", "a.c", "--property", "no-overflow"],
            &[(
                "a.c",
                "int f(int a, int *p) { if (a > 0) return (a & 7) + 1; return *p / a; }\nint g(int a, int *p) { return f(a, p); }\n",
            )],
            |at| replace(at, "a.c", "{ return f(a, p); }", "{ f(a, p); return f(a, p); }"),
        ),
        edit(
            "who passes what errors leave",
            GEN,
            &[(
                "a.c",
                "int f(int x) { int y = x << 30; if (y == 5) return 1; return x == 7 && x == 8; }\nint g(int a) { return f(a) + 1; }\n",
            )],
            |at| replace(at, "a.c", "f(a) + 1", "f(f(a)) + 1"),
        ),
        edit(
            "an address in another function",
            GEN,
            &[(
                "a.c",
                "int f(unsigned long x) { if (x < 0x50000000ul) return 0; return *(int *)x == 3; }\nint g(long a) { return a > 0x50000000; }\n",
            )],
            |at| replace(at, "a.c", "a > 0x50000000", "*(volatile char *)0x50000000 > a"),
        ),
        edit(
            "whose address another function gives away",
            CHECK,
            &[(
                "a.c",
                "void each(void (*)(int));\nint n = 1;\nstatic void zero(int x) { n = x; }\nvoid g(void) { zero(3); }\nint f(void) { n = 1; each(0); return 100 / n; }\n",
            )],
            |at| replace(at, "a.c", "zero(3)", "each(zero)"),
        ),
        edit(
            "what another function does to all",
            &["check", "a.c", "--property", "termination"],
            &[(
                "a.c",
                "#include <unistd.h>\nunsigned alarm(unsigned);\nint f(int x) { while (x) ; return x; }\nint g(void) { return 1; }\n",
            )],
            |at| replace(at, "a.c", "return 1", "return (int)alarm(1)"),
        ),
        edit(
            "a variable that another function writes",
            CHECK,
            &[(
                "a.c",
                "static int n = 5;\nint f(void) { return 100 / n; }\nvoid g(int x) { (void)x; }\n",
            )],
            |at| replace(at, "a.c", "(void)x", "n = x"),
        ),
        edit(
            "a variable whose address another function gives away",
            GEN,
            &[(
                "a.c",
                "static int n = 5;\nint f(int *p) { n = 1; *p = 2; return n == 2; }\nint *g(void) { return 0; }\n",
            )],
            |at| replace(at, "a.c", "return 0", "return &n"),
        ),
        edit(
            "a variable that is constant now",
            GEN,
            &[("a.c", "static int n = 5;\nint f(void) { return n == 5; }\n")],
            |at| replace(at, "a.c", "static int", "static const int"),
        ),
        edit(
            "a contract",
            CHECK,
            &[
                ("a.c", "int f(int x) { return 100 / x; }\n"),
                ("glassbox.toml", "[function.f]\nrequire = [\"x > 0\"]\n"),
            ],
            |at| replace(at, "glassbox.toml", "> 0", ">= 0"),
        ),
        edit(
            "a contract of what is called",
            CHECK,
            &[
                ("a.c", "int g(int x);\nint f(int x) { return 100 / g(x); }\n"),
                ("glassbox.toml", "[function.g]\nensure = [\"result > 0\"]\n"),
            ],
            |at| replace(at, "glassbox.toml", "> 0", ">= 0"),
        ),
        edit(
            "a contract in the source",
            CHECK,
            &[("a.c", "/*@ requires x > 0; */\nint f(int x) { return 100 / x; }\n")],
            |at| replace(at, "a.c", "x > 0;", "x >= 0;"),
        ),
        edit(
            "a stub that is described",
            CHECK,
            &[
                ("a.c", "int g(int x);\nint f(int x) { return 100 / g(x); }\n"),
                ("glassbox.toml", "[stub.g]\nreturns = 5\n"),
            ],
            |at| replace(at, "glassbox.toml", "5", "0"),
        ),
        edit(
            "a file that is linked",
            &["check", "a.c", "--link", "b.c"],
            &[
                ("a.c", "int g(int x);\nint f(int x) { return 100 / g(x); }\n"),
                ("b.c", "int g(int x) { return x | 1; }\n"),
            ],
            |at| replace(at, "b.c", "| 1", "& 1"),
        ),
        edit(
            "a second file",
            &["check", "a.c", "b.c"],
            &[
                ("a.c", "int g(int x);\nint f(int x) { return 100 / g(x); }\n"),
                ("b.c", "int g(int x) { return x | 1; }\n"),
            ],
            |at| replace(at, "b.c", "| 1", "& 1"),
        ),
        edit(
            "flags in a database",
            &["check", "--compdb", "compile_commands.json"],
            &[
                ("a.c", "int f(void) { return 100 / N; }\n"),
                (
                    "compile_commands.json",
                    "[{\"directory\": \".\", \"file\": \"a.c\", \"arguments\": [\"cc\", \"-DN=5\", \"-c\", \"a.c\"]}]",
                ),
            ],
            |at| replace(at, "compile_commands.json", "N=5", "N=0"),
        ),
        edit(
            "an option that is set in a file",
            CHECK,
            &[
                (
                    "a.c",
                    "int f(int x) { int s = 0; for (int i = 0; i < (x & 15); i++) s += i; return 100 / (s + 1); }\n",
                ),
                ("glassbox.toml", "[check]\nunwind = 20\n"),
            ],
            |at| replace(at, "glassbox.toml", "20", "2"),
        ),
        Edit {
            is_refused: true,
            variables: &[("CPATH", "env")],
            ..edit(
                "where compilers look for headers",
                CHECK,
                &[
                    ("a.c", "#include <n.h>\nint f(void) { return 100 / N; }\n"),
                    ("env/n.h", "#define N 0\n"),
                ],
                |_| {},
            )
        },
        Edit {
            before: |at| {
                let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
                fs::set_permissions(at.join("mine"), mode).expect("changed");
            },
            ..edit(
                "the compiler",
                &["check", "a.c", "--cc", "./mine"],
                &[
                    ("a.c", "int f(void) { return 100 / N; }\n"),
                    ("mine", "#!/bin/sh\nexec cc -DN=5 \"$@\"\n"),
                ],
                |at| replace(at, "mine", "N=5", "N=0"),
            )
        },
        edit(
            "assembly between functions",
            &["gen", "a.c"],
            &[("a.c", "int f(int x) { return x > 3; }\nasm(\"\");\n")],
            |at| {
                replace(
                    at,
                    "a.c",
                    "\"\"",
                    "\".pushsection .init_array, \\\"aw\\\"\\n.quad abort\\n.popsection\"",
                )
            },
        ),
        edit(
            "for which machine a function is compiled",
            &["gen", "a.c"],
            &[("a.c", "int f(int x) ;\nint f(int x) { return x > 3; }\n")],
            |at| replace(at, "a.c", ") ;", ") __attribute__((target(\"arch=none\")));"),
        ),
        edit(
            "a version to compare with",
            &["equiv", "old.c", "a.c", "--function", "f"],
            &[
                ("old.c", "int f(int x) { return x > 3; }\n"),
                ("a.c", "int f(int x) { return x > 3; }\n"),
            ],
            |at| replace(at, "old.c", "3", "4"),
        ),
        edit(
            "a linker's file",
            &["gen", "a.c", "--", "-Wl,-T,own.ld"],
            &[("a.c", "int f(int x) { return x > 3; }\n"), ("own.ld", "INSERT AFTER .data;\n")],
            |at| put(at, "own.ld", "no such command\n"),
        ),
    ]
}

/// The command in a folder, with results kept below it.
fn run(place: &Path, words: &[&str], keeps: bool, variables: &[(&str, &str)]) -> Output {
    let end = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    let mut command: Command = glassbox();
    command.args(&words[..end]).args(["--out", "o"]).args(&words[end..]).current_dir(place);
    command.env("GLASSBOX_NO_CACHE", if keeps { "" } else { "1" });
    command.env("XDG_CACHE_HOME", place.join("kept")).env("SOURCE_DATE_EPOCH", "1700000000");
    command.envs(variables.iter().copied());
    let _ = fs::remove_dir_all(place.join("o"));
    command.output().expect("the command starts")
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut new = vec![folder.to_path_buf()];
    while let Some(next) = new.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            match entry.path() {
                path if path.is_dir() => new.push(path),
                path => {
                    let text = fs::read(&path).unwrap_or_default();
                    found.insert(path, String::from_utf8_lossy(&text).into_owned());
                }
            }
        }
    }
    found
}

/// Runs, lets somebody edit, runs again with and without what is kept, and names what differs.
fn stale(edits: &[Edit]) -> Vec<String> {
    let places: Vec<_> = edits.iter().map(|edit| folder::with_files(edit.files)).collect();
    for (edit, place) in edits.iter().zip(&places) {
        (edit.before)(place.path());
    }
    // What was changed just now is preprocessed every time.
    std::thread::sleep(Duration::from_millis(2200));
    for (edit, place) in edits.iter().zip(&places) {
        let first = run(place.path(), edit.words, true, &[]);
        let said = String::from_utf8_lossy(&first.stderr);
        assert!(first.status.code() != Some(2) || edit.is_refused, "{}: {said}", edit.what);
        (edit.edit)(place.path());
    }
    let mut found = Vec::new();
    for (edit, place) in edits.iter().zip(&places) {
        let kept = run(place.path(), edit.words, true, edit.variables);
        let left = files(&place.path().join("o"));
        let plain = run(place.path(), edit.words, false, edit.variables);
        let is_same = (kept.status.code(), &kept.stdout) == (plain.status.code(), &plain.stdout);
        if !is_same || left != files(&place.path().join("o")) {
            let (a, b) = (&kept.stdout, &plain.stdout);
            let (a, b) = (String::from_utf8_lossy(a), String::from_utf8_lossy(b));
            found.push(format!("{}:\n{a}\nwithout what is kept:\n{b}", edit.what));
        }
    }
    found
}

#[test]
fn no_edit_of_c_leaves_an_old_verdict() {
    let found = stale(&edits());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Classes that are compiled beside what is asked about.
fn java_edits() -> Vec<Edit> {
    const SUPER: &str = "class Base { static int n() { return 5; } int m() { return 5; } }\n";
    const SUB: &str = "class A extends Base { static int f(int x) { return 100 / n(); }\n int g() { return 100 / m(); } }\n";
    fn zero(at: &Path) {
        replace(at, "Base.java", "5", "0");
        compile(at, "lib", "Base.java");
    }
    let with_library = |what, words, files| Edit {
        before: |at| {
            compile(at, "lib", "Base.java");
            // A jar that has nothing but the name of another.
            jar(at, &["cfm", "named.jar", "manifest", "nothing"]);
        },
        ..edit(what, words, files, zero)
    };
    const LIBRARY: &[(&str, &str)] = &[
        ("A.java", SUB),
        ("Base.java", SUPER),
        ("manifest", "Class-Path: lib.jar\n"),
        ("nothing", ""),
    ];
    vec![
        with_library(
            "a superclass on the class path",
            &["check", "A.java", "--classpath", "lib"],
            LIBRARY,
        ),
        with_library(
            "a superclass in a jar",
            &["check", "A.java", "--classpath", "lib.jar"],
            LIBRARY,
        ),
        with_library(
            "a superclass in a jar that the manifest of another names",
            &["check", "A.java", "--classpath", "named.jar"],
            LIBRARY,
        ),
        edit(
            "an invariant of a class",
            &["check", "B.java"],
            &[
                (
                    "B.java",
                    "class B { int n = 1; int f() { return 100 / n; } void set(int x) { if (x > 0) n = x; } }\n",
                ),
                ("glassbox.toml", "[class.B]\ninvariant = [\"n > 0\"]\n"),
            ],
            |at| replace(at, "glassbox.toml", "> 0", ">= 0"),
        ),
        edit(
            "a version to compare with",
            &["equiv", "old/C.java", "C.java", "--function", "f"],
            &[
                ("old/C.java", "class C { static int f(int x) { return x > 3 ? 1 : 0; } }\n"),
                ("C.java", "class C { static int f(int x) { return x > 3 ? 1 : 0; } }\n"),
            ],
            |at| replace(at, "old/C.java", "3", "4"),
        ),
        Edit {
            before: |at| {
                let words = ["-d", "lib", "A.java", "Base.java"];
                let done = Command::new("javac").args(words).current_dir(at).status();
                assert!(done.is_ok_and(|done| done.success()));
            },
            ..edit("a class beside the one that is named", &["check", "lib/A.class"], LIBRARY, zero)
        },
        edit(
            "a second source",
            &["check", "A.java", "Base.java"],
            &[("A.java", SUB), ("Base.java", SUPER)],
            |at| replace(at, "Base.java", "5", "0"),
        ),
    ]
}

/// Leaves a class in a folder, and the folder in a jar.
fn compile(at: &Path, folder: &str, source: &str) {
    let done = Command::new("javac").args(["-d", folder, source]).current_dir(at).status();
    assert!(done.is_ok_and(|done| done.success()));
    jar(at, &["cf", "lib.jar", "-C", folder, "."]);
}

fn jar(at: &Path, words: &[&str]) {
    let done = Command::new("jar").args(words).current_dir(at).status();
    assert!(done.is_ok_and(|done| done.success()));
}

#[test]
fn no_edit_of_java_leaves_an_old_verdict() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let edits = java_edits();
    let found = stale(&edits);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
