//! Relations between calls: proved, refuted, tested, or refused with a place.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::Path;
use std::process::{Command, Output};

use glassbox_testkit::suite::properties;
use glassbox_testkit::{command::run_glassbox_aside, folder::with_files, root};
use serde_json::Value;

/// Verdicts of relations by function, and how counter-examples were confirmed.
fn relations(output: &Output) -> Vec<(String, String, String)> {
    // Nothing is printed where a relation is refused.
    let Ok(summary) = serde_json::from_slice::<Value>(&output.stdout) else { return Vec::new() };
    let found = properties(&summary, "relation").into_iter();
    found.map(|[entry, _, verdict, _, confirmed]| (entry, verdict, confirmed)).collect()
}

/// What `check` says of a program with this contract of `f`: the relation's verdicts and all that is printed.
fn checked(source: &str, contract: &str, args: &[&str]) -> (Vec<String>, String, Option<i32>) {
    let folder = with_files(&[("f.c", source), ("glassbox.toml", contract)]);
    let (_out, output) =
        run_glassbox_aside(folder.path(), &[&["check", "f.c", "--json"], args].concat());
    let verdicts = relations(&output).into_iter().map(|(_, verdict, _)| verdict).collect();
    let printed = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (verdicts, printed, output.status.code())
}

#[test]
fn the_programs_of_the_papers_keep_their_symmetries_and_their_twins_do_not() {
    let corpus = root().join("corpus/relations");
    let (out, output) = run_glassbox_aside(&corpus, &["check", "symmetry.c", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let found = relations(&output);
    let of = |name: &str| -> Vec<&str> {
        let is_its = |entry: &str| entry.ends_with(&format!("_of_{name}"));
        let own = found.iter().filter(|(entry, ..)| is_its(entry));
        own.map(|(_, verdict, _)| verdict.as_str()).collect()
    };
    assert_eq!(of("mid"), ["holds", "holds", "holds"], "{found:?}");
    for name in ["sort", "copy", "replace_all", "get_index_0", "array_find_byte", "max3"] {
        assert_eq!(of(name), ["holds", "holds"], "{name}: {found:?}");
    }
    for name in [
        "mid_1",
        "mid_2",
        "sort_nothing",
        "copy_1",
        "replace_first",
        "get_index_0_1",
        "array_find_byte_1",
        "max3_1",
    ] {
        assert!(of(name).contains(&"violated"), "{name}: {found:?}");
    }
    for (entry, verdict, confirmed) in &found {
        let is_seen = confirmed == "confirmed: the compiled program shows it";
        assert!(verdict != "violated" || is_seen, "{entry}: {confirmed}");
    }
    let make = Command::new("make").arg("-C").arg(out.path().join("tests")).output();
    let make = make.expect("make should be installed");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
}

#[test]
fn follow_up_tests_are_written_and_pass() {
    let source = "int last;\nint add(int x, int y) { last = x; if (x > y) return x - y; return y - x; }\n\
                  int less(int x, int y) { if (x < y) return 1; return 0; }\n";
    let contract = "[function.add]\nrange.x = [0, 9]\nrange.y = [0, 9]\nrelate = [\"x == x\"]\n";
    // A call changes a global: an expression over calls would depend on their order.
    let folder = with_files(&[("f.c", source), ("glassbox.toml", contract)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["gen", "f.c"]);
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(printed.contains("glassbox.toml:4:12: error: a call of `add` changes"), "{printed}");
    let contract = "[function.less]\nsymmetric = [\"x\", \"y\"]\nrelate = [\"less(x, x) == 0\"]\n";
    std::fs::write(folder.path().join("glassbox.toml"), contract).expect("writable");
    let (out, output) = run_glassbox_aside(folder.path(), &["gen", "f.c", "--function", "less"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{printed}");
    assert!(
        printed.contains("symmetric x, y: less(y, x) is less(x, y): violated with"),
        "{printed}"
    );
    let suite = std::fs::read_to_string(out.path().join("suite.json")).expect("written");
    assert!(suite.contains("\"relation\""), "{suite}");
    let tests = out.path().join("tests");
    let text = std::fs::read_to_string(tests.join("test_relation_2_of_less.c")).expect("written");
    assert!(text.contains("/* relation: glassbox.toml:3 */"), "{text}");
    let make = Command::new("make").arg("-C").arg(&tests).output().expect("make");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
}

#[test]
fn a_run_that_ends_early_proves_nothing() {
    let source =
        "#include <assert.h>\nint f(int x, int y) { assert(y != 7); return 10 / y * 0 + x * 0; }\n";
    let contract = "[function.f]\nsymmetric = [\"x\", \"y\"]\n";
    let (verdicts, printed, code) = checked(source, contract, &[]);
    assert_eq!(
        (verdicts.as_slice(), code),
        (&["holds-within".to_owned()][..], Some(3)),
        "{printed}"
    );
    assert!(printed.contains("line 2 does not divide by zero"), "{printed}");
    assert!(
        printed.contains("relations speak of inputs with which every call returns"),
        "{printed}"
    );
}

#[test]
fn a_comparison_that_goes_wrong_itself_compares_nothing() {
    let source = "#include <stdlib.h>\nvoid f(int *p) { free(p); }\nvoid g(int *p) { (void)p; }\n";
    let contract = "[function.f]\nlength.p = 1\nreference = \"g\"\n";
    let (verdicts, printed, _) = checked(source, contract, &["--no-exec"]);
    assert_eq!(verdicts, ["unknown"], "{printed}");
}

#[test]
fn numbers_that_are_none_are_the_same() {
    let source = "double f(double x, double y) { return x + y; }\n";
    let (verdicts, printed, _) = checked(source, "[function.f]\nsymmetric = [\"x\", \"y\"]\n", &[]);
    assert_eq!(verdicts, ["holds"], "{printed}");
}

#[test]
fn what_cannot_be_compared_is_refused_with_its_place() {
    let refused = |source: &str, contract: &str| {
        let (_, printed, code) = checked(source, &format!("[function.f]\n{contract}\n"), &[]);
        assert_eq!(code, Some(2), "{printed}");
        printed
    };
    let symmetric = "symmetric = [\"x\", \"y\"]";
    let kept = "int f(int x, int y) { static int n; n++; return x + y + n; }\n";
    assert!(
        refused(kept, symmetric)
            .contains("glassbox.toml:2:15: error: calls of `f` cannot be compared: it keeps `n`")
    );
    let input = "int read(void); int f(int x, int y) { return x + y + read(); }\n";
    assert!(refused(input, symmetric).contains("it calls `read`"));
    let types = "long f(int x, long y) { return x + y; }\n";
    assert!(refused(types, symmetric).contains("`x` and `y` have different types"));
    let plain = "int g(long x) { return (int)x; } int f(int x, int y) { return x + y; }\n";
    assert!(refused(plain, "symmetric = [\"x\", \"z\"]").contains("`f` has no parameter `z`"));
    assert!(refused(plain, "symmetric = [\"x\"]").contains("a list of two or more parameters"));
    assert!(refused(plain, "reference = \"g\"").contains("`f` and `g` have different types"));
    assert!(refused(plain, "reference = \"h\"").contains("no function `h` is known here"));
    assert!(refused(plain, "relate = [\"f(x, k) == 0\"]").contains("`k`"));
    assert!(refused(plain, "permute.x = \"natural\"").contains("`x` is no pointer to elements"));
    assert!(refused(plain, "permute.x = \"wild\"").contains("no effect of a permutation `wild`"));
    let memory = "void f(int *x, int y) { *x = y; }\n";
    assert!(refused(memory, "permute.x = \"natural\"").contains("`length.x`"));
}

#[test]
fn another_function_is_a_reference() {
    let source = "int table[4] = {1, 2, 4, 8};\nint g(int n) { return n & 3 ? 1 << (n & 3) : 1; }\n\
                  int f(int n) { return table[n & 3]; }\nint h(int n) { return 1 << (n & 3); }\n";
    let (verdicts, printed, _) = checked(source, "[function.h]\nreference = \"g\"\n", &[]);
    assert_eq!(verdicts, ["holds"], "{printed}");
    // The table may have been changed.
    let (verdicts, printed, _) = checked(source, "[function.f]\nreference = \"g\"\n", &[]);
    assert_eq!(verdicts, ["violated"], "{printed}");
}

#[test]
fn tests_take_the_reference_everywhere_too() {
    let source = "unsigned f(unsigned x) { return x & 7; }\n\
                  unsigned g(unsigned x) { if (x == 12345) return 1; return x % 8; }\n";
    let folder =
        with_files(&[("f.c", source), ("glassbox.toml", "[function.f]\nreference = \"g\"\n")]);
    let (out, output) = run_glassbox_aside(folder.path(), &["gen", "f.c", "--function", "f"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("2 of 2 goals of `g` are covered, too"), "{printed}");
    let tests = std::fs::read_to_string(out.path().join("tests/test_f.c")).expect("written");
    assert!(tests.contains("12345"), "{tests}");
    let make = Command::new("make").arg("-C").arg(out.path().join("tests")).output();
    assert!(make.expect("make").status.success());
}

#[test]
fn two_versions_of_a_file_are_compared_with_memory_and_globals() {
    let old = "static int helper(int x) { return x * 2; }\nint calls;\nint twice(int x) { calls++; return helper(x); }\n\
               void put(int *to, int x) { to[0] = x; to[1] = x; }\n";
    let new = "static int helper(int x) { return x + x; }\nint calls;\nint twice(int x) { calls++; return helper(x); }\n\
               void put(int *to, int x) { to[1] = x; to[0] = to[1]; }\n";
    let config = "[function.put]\nlength.to = 2\n";
    let folder = with_files(&[("old.c", old), ("new.c", new), ("glassbox.toml", config)]);
    let ask = |args: &[&str]| {
        let (_out, output) =
            run_glassbox_aside(folder.path(), &[&["equiv", "old.c", "new.c"], args].concat());
        let printed = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), printed)
    };
    let (code, printed) = ask(&["--function", "twice", "--overflow", "wrap"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("twice: does the same in both versions: "), "{printed}");
    let (code, printed) = ask(&["--function", "put", "--accept-bounds"]);
    assert_eq!(code, Some(0), "{printed}");
    let (code, printed) = ask(&["--function", "nothing"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("old.c defines no function `nothing`"), "{printed}");
    let forgets = new.replace("calls++; ", "");
    std::fs::write(folder.path().join("new.c"), forgets).expect("writable");
    let (code, printed) = ask(&["--function", "twice", "--overflow", "wrap"]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(printed.contains("twice: does something else with x = "), "{printed}");
    assert!(printed.contains("confirmed: the compiled program shows it"), "{printed}");
}

/// Functions that run before `main` may leave something else in variables.
#[test]
fn constructors_of_two_versions_are_not_compared() {
    let source = "int t = 1;\n__attribute__((constructor)) static void init(void) { t = N; }\n\
                  int f(void) { return t; }\nint g(int x) { return x; }\n";
    let (old, new) = (source.replace('N', "2"), source.replace('N', "3"));
    let folder = with_files(&[("old.c", &old), ("new.c", &new)]);
    let ask = |function: &str| {
        let args = ["equiv", "old.c", "new.c", "--function", function];
        let (_out, output) = run_glassbox_aside(folder.path(), &args);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, printed) = ask("f");
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("hold the same in both versions"), "{printed}");
    let (code, printed) = ask("g");
    assert_eq!(code, Some(0), "{printed}");
}

/// What is not compared is refused: a proof would say nothing of it.
#[test]
fn memory_that_is_not_compared_is_refused() {
    let cases = [
        ("struct s { int *p; }; int f(struct s v) { if (v.p) *v.p = N; return 0; }\n", "`v`"),
        ("struct s { int *p; }; int f(const struct s *v) { *v->p = N; return 0; }\n", "`*v`"),
        ("int f(int a[]) { a[0] = N; return 0; }\n", "length.a"),
    ];
    for (source, named) in cases {
        let (old, new) = (source.replace('N', "1"), source.replace('N', "2"));
        let folder = with_files(&[("old.c", &old), ("new.c", &new)]);
        let args = ["equiv", "old.c", "new.c", "--function", "f", "--accept-bounds"];
        let (_out, output) = run_glassbox_aside(folder.path(), &args);
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.contains(named), "{printed}");
    }
}

#[test]
fn inputs_with_which_a_call_breaks_the_contract_are_no_violations() {
    let source = "int f(int x) { if (x >= 10) return -1; return x; }\n";
    let contract = "[function.f]\nrequire = [\"x >= 0\", \"x < 10\", \"x > 7\"]\n\
                    relate = [\"f(x + 1) >= f(x)\"]\n";
    let folder = with_files(&[("f.c", source), ("glassbox.toml", contract)]);
    let (_out, output) =
        run_glassbox_aside(folder.path(), &["gen", "f.c", "--criterion", "boundary"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(!printed.contains("violated"), "{printed}");
    assert_ne!(output.status.code(), Some(3), "{printed}");
}

#[test]
fn addresses_of_own_objects_are_not_compared() {
    let text = "static int a;\nint *f(int k) { return k ? &a : 0; }\n\
                const char *h(int k) { return k ? \"yes\" : \"no\"; }\n";
    let folder = with_files(&[("old.c", text), ("new.c", text)]);
    for function in ["f", "h"] {
        let args = ["equiv", "old.c", "new.c", "--function", function];
        let (_out, output) = run_glassbox_aside(folder.path(), &args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("may be the address of a variable, text or function"), "{said}");
        assert_eq!(output.status.code(), Some(2), "{said}");
    }
}

fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(args);
    let output = command.output().expect("git starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn versions_of_git_revisions_are_compared() {
    let folder = with_files(&[
        ("f.c", "#include \"k.h\"\nunsigned f(unsigned x) { return x / K; }\n"),
        ("k.h", "#define K 2\n"),
    ]);
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writable");
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-qm", "first"]);
    git(folder.path(), &["tag", "one"]);
    write("f.c", "#include \"k.h\"\nunsigned f(unsigned x) { return x >> 1; }\n");
    write("k.h", "#define K 4\n");
    git(folder.path(), &["commit", "-qam", "second"]);
    git(folder.path(), &["tag", "two"]);
    let verdict = |args: &[&str]| {
        let (_out, output) =
            run_glassbox_aside(folder.path(), &[&["equiv"], args, &["--function", "f"]].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), format!("{text}{}", String::from_utf8_lossy(&output.stderr)))
    };
    // Headers are those of each revision.
    let (code, text) = verdict(&["one:f.c", "two:f.c"]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = verdict(&["f.c", "--rev", "one..two"]);
    assert_eq!(code, Some(0), "{text}");
    write("f.c", "#include \"k.h\"\nunsigned f(unsigned x) { return x / K; }\n");
    let (code, text) = verdict(&["f.c", "--rev", "one"]);
    assert_eq!(code, Some(3), "{text}");
    let (code, text) = verdict(&["nowhere:f.c", "f.c"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("`nowhere:f.c` is no file of a revision"), "{text}");
}

/// What a comparison does not look at is named, or compared after all.
#[test]
fn what_is_not_compared_is_named() {
    let reference = "[function.f]\nreference = \"g\"\n";
    for (source, expected) in [
        (
            "#include <errno.h>\nint f(int x) { errno = 5; return x; }\nint g(int x) { return x; }\n",
            "errno is not compared",
        ),
        (
            "#include <stdlib.h>\nint f(int x) { if (x == 7) exit(1); return x; }\nint g(int x) { return x; }\n",
            "no call ends the program",
        ),
        (
            "double f(double x) { return x + 0.0; }\ndouble g(double x) { return x; }\n",
            "zeros of both signs count as the same",
        ),
    ] {
        let (verdicts, printed, _) = checked(source, reference, &[]);
        assert_eq!(verdicts, ["holds-within"], "{printed}");
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    // Seeds of the library are in no object of the program.
    for call in ["srand(x)", "srandom(x)"] {
        let source = format!(
            "#include <stdlib.h>\nint f(int x) {{ {call}; return 0; }}\nint g(int x) {{ return 0; }}\n"
        );
        let (verdicts, printed, code) = checked(&source, reference, &[]);
        assert_eq!((verdicts.len(), code), (0, Some(2)), "{printed}");
        assert!(printed.contains("what that answers or does besides"), "{printed}");
    }
}

#[test]
fn constant_memory_is_compared_where_it_may_change() {
    let contract = "[function.f]\nlength.p = 1\nreference = \"g\"\n";
    let source =
        "int f(const int *p) { *(int *)p = 5; return 1; }\nint g(const int *p) { return 1; }\n";
    let (verdicts, printed, _) = checked(source, contract, &[]);
    assert_eq!(verdicts, ["violated"], "{printed}");
    // The other function may be the one that changes it, here through the library.
    let source = "#include <string.h>\nint f(const char *p) { return p[0] == 'a'; }\n\
                  int g(const char *p) { char *q = strchr(p, 'a'); if (q == p) { *q = 'b'; return 1; } return 0; }\n";
    let contract = "[function.f]\nlength.p = 2\nrequire = [\"p[1] == 0\"]\nreference = \"g\"\n";
    let (verdicts, printed, _) = checked(source, contract, &[]);
    assert_eq!(verdicts, ["violated"], "{printed}");
    let source =
        "int f(const int *p) { return p[0] + p[0]; }\nint g(const int *p) { return 2 * p[0]; }\n";
    let contract = "[function.f]\nrequire = [\"p && p[0] > -9 && p[0] < 9\"]\nlength.p = 1\nreference = \"g\"\n";
    let (verdicts, printed, _) = checked(source, contract, &[]);
    assert!(verdicts.len() == 1 && verdicts[0].starts_with("holds"), "{printed}");
}

#[test]
fn constant_memory_that_is_changed_all_the_same_is_compared() {
    let contract = "[function.f]\nrequire = [\"s != 0\"]\nlength.s = 1\nreference = \"g\"\n";
    let list = "#include <stdarg.h>\nstatic void put(int k, ...) { va_list a; va_start(a, k); int *p = va_arg(a, int *); *p = k; va_end(a); }\n";
    let cases = [
        ("", "int *v = *(int **)&s; *v = N; return 0;"),
        ("union u { const int *c; int *m; };\n", "union u v; v.c = s; *v.m = N; return 0;"),
        ("#include <string.h>\n", "int *v; memcpy(&v, &s, sizeof v); *v = N; return 0;"),
        (list, "put(N, s); return 0;"),
        ("static void put(k, p) int k; int *p; { *p = k; }\n", "put(N, s); return 0;"),
        ("int put();\n", "put(N, s); return 0;"),
    ];
    for (before, body) in cases {
        let function = |name: &str, number: &str| {
            format!("int {name}(const int *s) {{ {} }}\n", body.replace('N', number))
        };
        let mut source = format!("{before}{}{}", function("f", "1"), function("g", "2"));
        if before == "int put();\n" {
            source.push_str("int put(int k, int *p) { *p = k; return 0; }\n");
        }
        let (verdicts, printed, _) = checked(&source, contract, &["--no-exec"]);
        assert_eq!(verdicts, ["violated"], "{source}{printed}");
    }
    // Text that `strtol` leads to.
    let source = "#include <stdlib.h>\nint f(const char *s) { char *e; strtol(s, &e, 10); *e = 0; return 0; }\n\
                  int g(const char *s) { char *e; strtol(s, &e, 10); return 0; }\n";
    let contract = "[function.f]\nlength.s = 3\nrequire = [\"s[2] == 0\"]\nreference = \"g\"\n";
    let (verdicts, printed, _) = checked(source, contract, &["--no-exec"]);
    assert_eq!(verdicts, ["violated"], "{printed}");
}

#[test]
fn variables_behind_constant_pointers_are_compared() {
    for (before, place) in [
        ("static int *const p = &n;", "*p"),
        ("static const struct { int *p; } c = {&n};", "*c.p"),
        ("static int m; static int *const t[2] = {&m, &n};", "*t[x & 1]"),
    ] {
        let source = format!(
            "int n; {before}\nint f(int x) {{ {place} = 1; return x; }}\nint g(int x) {{ {place} = 2; return x; }}\n"
        );
        let (verdicts, printed, _) =
            checked(&source, "[function.f]\nreference = \"g\"\n", &["--no-exec"]);
        assert_eq!(verdicts, ["violated"], "{source}{printed}");
    }
    // What a constant pointer leads to is not known here.
    let source = "extern int *const p;\nint f(int x) { *p = 1; return x; }\nint g(int x) { *p = 2; return x; }\n";
    let (_, printed, code) = checked(source, "[function.f]\nreference = \"g\"\n", &[]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("`p` holds a pointer"), "{printed}");
    // Nothing is kept or compared for texts.
    let source = "static const char *const names[] = {\"a\", \"b\"};\nint f(unsigned x) { return names[x & 1][0]; }\n\
                  int g(unsigned x) { return 'a' + (int)(x % 2); }\n";
    let (verdicts, printed, _) =
        checked(source, "[function.f]\nreference = \"g\"\n", &["--no-exec"]);
    assert!(verdicts[0].starts_with("holds"), "{printed}");
}

/// The order of calls in an expression is open, and each may see what another one leaves.
#[test]
fn other_functions_of_an_expression_change_nothing() {
    let contract = "[function.f]\nrelate = [\"f(x) == g(x)\"]\n";
    let f = "int f(int x) { return x; }\n";
    for (g, said) in [
        ("int n; int g(int x) { n = x; return x; }\n", "but `g` may change `n`"),
        ("int g(int x) { static int n; return x + n++ * 0; }\n", "but `g` may change `n`"),
        ("#include <stdio.h>\nint g(int x) { puts(\"g\"); return x; }\n", "prints"),
        ("#include <stdlib.h>\nint g(int x) { srand(x); return x; }\n", "srand"),
    ] {
        let (verdicts, printed, code) = checked(&format!("{g}{f}"), contract, &[]);
        assert_eq!((verdicts.len(), code), (0, Some(2)), "{printed}");
        let law =
            "glassbox.toml:2:20: error: an expression over calls does not depend on their order";
        assert!(printed.contains(law) && printed.contains(said), "{printed}");
    }
    let reads = format!("int n; int g(int x) {{ return n * 0 + x; }}\n{f}");
    let (verdicts, printed, _) = checked(&reads, contract, &["--overflow", "wrap", "--no-exec"]);
    assert_eq!(verdicts, ["holds"], "{printed}");
}

#[test]
fn versions_share_the_variables_that_neither_defines() {
    let ask = |old: &str, new: &str, args: &[&str]| {
        let folder = with_files(&[("old.c", old), ("new.c", new)]);
        let asked = ["equiv", "old.c", "new.c", "--function", "f", "--no-exec"];
        let (_out, output) = run_glassbox_aside(folder.path(), &[&asked, args].concat());
        let printed = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), printed)
    };
    let writes = "extern int n; int f(int x) { n = x; return x; }\n";
    for declared in ["extern int n;", "int n;"] {
        let new = format!("{declared} int f(int x) {{ return x; }}\n");
        let (code, printed) = ask(writes, &new, &[]);
        assert_eq!(code, Some(3), "{printed}");
    }
    let (code, printed) = ask(writes, writes, &[]);
    assert_eq!(code, Some(0), "{printed}");
    // What only the older file has is named.
    let own = "int n; int f(int x) { n = x; return x; }\n";
    let (code, printed) = ask(own, "int f(int x) { return x; }\n", &[]);
    assert_eq!(code, Some(1), "{printed}");
    let named = "within bounds: variables that only the older version has are not compared";
    assert!(printed.contains(named), "{printed}");
    let bytes = "unsigned char n; int f(int x) { n = (unsigned char)x; return x; }\n";
    let (code, printed) = ask(bytes, own, &[]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("`n` has another type in the older version"), "{printed}");
    let hidden = "static int f(int x) { return x; }\n";
    let (code, printed) = ask(hidden, hidden, &[]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("`f` is static in old.c"), "{printed}");
    let (code, printed) = ask(
        "int n = 3; int f(void) { return n; }\n",
        "int n = 4; int f(void) { return n; }\n",
        &[],
    );
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.contains("variables that are initialized otherwise hold the same"),
        "{printed}"
    );
    let name = "int f(int x) { return (int)sizeof __func__ + 0 * x; }\n";
    let (code, printed) = ask(name, name, &[]);
    assert_eq!(code, Some(0), "{printed}");
    // What is not excluded is said where the bounds are.
    let sum = "int f(int x) { return x + 1; }\n";
    let (_, printed) = ask(sum, "int f(int x) { return 1 + x; }\n", &[]);
    assert!(printed.contains("within bounds: provided that line 1 does not overflow"), "{printed}");
}

/// Arrays that may overlap in parts do not keep their symmetry: `separate` excludes that, and callers have to keep to it.
#[test]
fn arrays_that_are_separate_share_nothing() {
    let copy = "void f(int *p, const int *q) { for (int i = 0; i < 3; i++) p[i] = q[i]; }\n";
    let keys = "[function.f]\nlength.p = 3\nlength.q = 3\npermute.p = \"natural\"\npermute.q = \"natural\"\n";
    let apart = "separate = [\"p\", \"q\"]\n";
    let (verdicts, printed, _) = checked(copy, keys, &[]);
    assert_eq!(verdicts, ["holds-within", "holds-within"], "{printed}");
    let (verdicts, printed, _) = checked(copy, &format!("{keys}{apart}"), &[]);
    assert_eq!(verdicts, ["holds", "holds"], "{printed}");
    // `restrict` is about elements that are used.
    let restricted = copy.replace("int *", "int *restrict ");
    let (verdicts, printed, _) = checked(&restricted, keys, &[]);
    assert_eq!(verdicts, ["holds-within", "holds-within"], "{printed}");
    let broken = copy.replace("i < 3", "i < 2");
    let (verdicts, printed, _) = checked(&broken, &format!("{keys}{apart}"), &[]);
    assert!(verdicts.contains(&"violated".to_owned()), "{printed}");
    // Parts of one object have addresses in one order.
    let ordered = "int f(int *p, int *q) { return p + 3 == q; }\n";
    let contract =
        format!("[function.f]\nlength.p = 3\nlength.q = 3\n{apart}ensure = [\"!result\"]\n");
    let folder = with_files(&[("f.c", ordered), ("glassbox.toml", &contract)]);
    let said = |folder: &Path| {
        let (_out, output) = run_glassbox_aside(folder, &["check", "f.c", "--no-exec"]);
        String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr)
    };
    let printed = said(folder.path());
    assert!(printed.contains("separate arrays are objects of their own"), "{printed}");
    // So do functions that this one is compared with.
    let two = "int f(int *p, int *q) { return p[0] ^ q[0]; }\n\
               int g(int *p, int *q) { if (p[0] == 77 && p < q) return 1; return p[0] ^ q[0]; }\n";
    let contract = format!("[function.f]\nlength.p = 3\nlength.q = 3\n{apart}reference = \"g\"\n");
    let folder = with_files(&[("f.c", two), ("glassbox.toml", &contract)]);
    let printed = said(folder.path());
    assert!(printed.contains("separate arrays are objects of their own"), "{printed}");
    // Freeing one part frees all.
    let freeing = "#include <stdlib.h>\nint f(int *p, int *q) { free(p); return q[0]; }\n";
    let contract = format!("[function.f]\nlength.p = 3\nlength.q = 3\n{apart}");
    let folder = with_files(&[("f.c", freeing), ("glassbox.toml", &contract)]);
    let printed = said(folder.path());
    let is_about = |line: &&str| line.contains("use-after-free (`q[0]`");
    let line = printed.lines().find(is_about).unwrap_or_default();
    assert!(!line.is_empty() && !line.contains(": holds: "), "{printed}");
    // Nothing is shared behind null.
    let null = "int f(int *p, int *q, int n) { return !p && !q; }\n";
    let contract = format!(
        "[function.f]\nlength.p = \"n & 1\"\nlength.q = \"n & 1\"\n{apart}ensure = [\"!result\"]\n"
    );
    let folder = with_files(&[("f.c", null), ("glassbox.toml", &contract)]);
    let printed = said(folder.path());
    assert!(printed.contains("!result): violated by f"), "{printed}");
    // Calls are looked at, and may pass parts of one array.
    let calls = "static void f(int *p, const int *q) { p[0] = q[0]; }\n\
                 void good(void) { int a[6] = {0}; f(a, a + 3); f(a + 3, a); }\n\
                 void bad(void) { int a[6] = {0}; f(a, a + 2); }\n";
    let contract = format!("[function.f]\nlength.p = 3\nlength.q = 3\n{apart}");
    let folder = with_files(&[("f.c", calls), ("glassbox.toml", &contract)]);
    let printed = said(folder.path());
    let about = |line: &str| printed.lines().any(|it| it.contains("separate") && it.contains(line));
    assert!(about(": violated by bad"), "{printed}");
    assert!(!about(": violated by good"), "{printed}");
    // How much may not be shared has to be known.
    let contract = format!("[function.f]\nlength.p = 3\n{apart}");
    let folder = with_files(&[("f.c", calls), ("glassbox.toml", &contract)]);
    let printed = said(folder.path());
    assert!(printed.contains("by `length.q`"), "{printed}");
}

/// An access outside of an input may be inside of what a caller passes.
#[test]
fn errors_that_are_not_looked_at_rest_on_lengths() {
    let source = "int f(int *p, int x, int y) { if (x == 3) return p[2]; return x + y; }\n";
    let contract = "[function.f]\nlength.p = 2\nsymmetric = [\"x\", \"y\"]\n";
    let folder = with_files(&[("f.c", source), ("glassbox.toml", contract)]);
    let args = ["check", "f.c", "--no-exec", "--overflow", "wrap"];
    let (_out, output) = run_glassbox_aside(folder.path(), &args);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = printed.lines().find(|line| line.contains("relation (")).unwrap_or_default();
    assert!(line.contains("pointers of known length point to whole objects"), "{printed}");
}

/// A pointer to rows points to one, or to nothing.
#[test]
fn rows_are_compared() {
    let source = "typedef unsigned char rows[2][2];\n\
                  int f(rows *p, unsigned char k) {\n    if (p == 0) return A;\n    \
                  for (int i = 0; i < 2; i++) (*p)[B][i] ^= k;\n    return (*p)[1][1] > 3;\n}\n";
    let text = |a: &str, b: &str| source.replace('A', a).replace('B', b);
    for (new, expected) in [
        (text("-1", "0"), Some(0)),
        (text("0 - 1", "1 - 1"), Some(0)),
        (text("-2", "0"), Some(3)),
        (text("-1", "1"), Some(3)),
    ] {
        let folder = with_files(&[("old.c", &text("-1", "0")), ("new.c", &new)]);
        let args = ["equiv", "old.c", "new.c", "--function", "f"];
        let (_out, output) = run_glassbox_aside(folder.path(), &args);
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), expected, "{new}: {printed}");
    }
    // Further rows are not looked at, and that is said.
    let old = "int f(int (*p)[2], int k) { if (k == 7) return p[3][0]; return k; }\n";
    let new = old.replace("p[3][0]", "p[3][1]");
    let folder = with_files(&[("old.c", old), ("new.c", &new)]);
    let args = ["equiv", "old.c", "new.c", "--function", "f", "--no-exec"];
    let (_out, output) = run_glassbox_aside(folder.path(), &args);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_ne!(output.status.code(), Some(0), "{printed}");
}

/// `length` says how much memory there is from the pointer on: it may be a part of more.
#[test]
fn memory_that_is_a_part_of_more_is_an_assumption() {
    let source =
        "int f(int *p, int *q) {\n    p[1] = 5;\n    q[0] = 3;\n    return p[1] == 5;\n}\n";
    let lengths = "[function.f]\nlength.p = 2\nlength.q = 2\n";
    let (_, printed, _) = checked(source, lengths, &[]);
    assert!(!printed.contains("\"violated\""), "{printed}");
    let contract = format!("{lengths}ensure = [\"result\"]\n");
    let folder = with_files(&[("f.c", source), ("glassbox.toml", &contract)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c", "--no-exec"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let within = "holds-within bounds: pointers of known length point to whole objects";
    assert!(said.contains(&format!("assertion (result): {within}")), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
    // With one pointer it makes no difference.
    let source = "int f(int *p) { p[1] = 5; return p[1] == 5; }\n";
    let contract = "[function.f]\nlength.p = 2\nensure = [\"result\"]\n";
    std::fs::write(folder.path().join("f.c"), source).expect("writable");
    std::fs::write(folder.path().join("glassbox.toml"), contract).expect("writable");
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c", "--no-exec"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    // Below the pointer there is nothing where it points to the start.
    let source = "int f(int *p) { if (p[-1] == 4) return 1; return 0; }\n";
    std::fs::write(folder.path().join("f.c"), source).expect("writable");
    let contract = "[function.f]\nlength.p = 2\n";
    std::fs::write(folder.path().join("glassbox.toml"), contract).expect("writable");
    let (_out, output) = run_glassbox_aside(folder.path(), &["gen", "f.c", "--no-exec"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("pointers of known length point to whole objects"), "{said}");
    assert!(!said.contains("please report"), "{said}");
    // A length that wraps around as bytes is no small one.
    let source = "int f(int *p, unsigned long n) { return p[n - 1] == 0; }\n";
    std::fs::write(folder.path().join("f.c"), source).expect("writable");
    let contract = "[function.f]\nlength.p = \"n\"\nrequire = [\"n > 0\"]\n";
    std::fs::write(folder.path().join("glassbox.toml"), contract).expect("writable");
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "f.c", "--no-exec"]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("violated"), "{said}");
}
