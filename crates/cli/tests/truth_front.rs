//! What the C front-end does not understand weakens: no verdict rests on attributes, symbol names, assembly,
//! nested functions or compiler flags that Glassbox does not know.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use glassbox_testkit::command::glassbox;

/// What `check` says about the assertions of a program, and its exit code.
fn check(source: &str, flags: &[&str]) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("case.c");
    std::fs::write(&file, format!("#include <assert.h>\n{source}\n")).expect("the file is written");
    let output = glassbox()
        .current_dir(folder.path())
        .args([
            "check",
            "case.c",
            "--assertions-only",
            "--no-exec",
            "--timeout",
            "10",
            "--out",
            "out",
        ])
        .arg("--")
        .args(flags)
        .output()
        .expect("the binary starts");
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), output.status.code())
}

#[track_caller]
fn assert_unknown(because: &str, sources: &[&str]) {
    for source in sources {
        let (text, _) = check(source, &[]);
        assert!(text.contains("VERDICT: unknown\n"), "{source}\n{text}");
        assert!(text.contains(because), "{source}\n{text}");
    }
}

#[test]
fn uses_of_what_has_an_unknown_attribute_are_unknown() {
    assert_unknown(
        "the attribute `",
        &[
            "extern void w(void) __attribute__((weak)); int main(void) { if (!w) assert(0); }",
            "extern int v __attribute__((weak)); int main(void) { if (!&v) assert(0); }",
            "extern int v [[gnu::weak]]; int main(void) { if (!&v) assert(0); }",
            "__attribute__((weak)) int g(void) { return 1; } int main(void) { assert(g() == 1); }",
            "__attribute__((weak)) int g(void); int (*p)(void) = g; int main(void) { assert(p); }",
            "int main(void) { int x __attribute__((newly_invented)) = 1; assert(x == 1); }",
            "typedef int T __attribute__((newly_invented)); T x = 1; int main(void) { assert(x == 1); }",
            "typedef char T __attribute__((newly_invented));\n\
             int main(void) { assert(sizeof(T) == 1); }",
            "void end(int *p) { *p = 2; } int x = 1;\n\
             int main(void) { { int y __attribute__((cleanup(end))); } assert(x == 1); }",
            "int f(int x __attribute__((newly_invented))) { assert(x == x); return 0; }",
            "__attribute__((newly_invented)) int f(int x) { assert(x == x); return 0; }",
        ],
    );
}

#[test]
fn records_with_an_unknown_attribute_have_an_unknown_layout() {
    const ORDER: &str =
        "struct __attribute__((scalar_storage_order(\"big-endian\"))) S { int x; };\n";
    let uses = [
        "union U { struct S s; unsigned char b[4]; };\n\
         int main(void) { union U u; u.s.x = 1; assert(u.b[0] == 1); }",
        "int main(void) { struct S s = { 1 }; assert(*(unsigned char *)&s == 1); }",
        "struct S s = { 1 }; int main(void) { assert(*(unsigned char *)&s == 1); }",
        "int main(void) { assert(sizeof(struct S) == 4); }",
        "int f(struct S *p) { assert((char *)(p + 1) - (char *)p == 4); return 0; }",
        "struct T { struct S s[2]; int y; }; int f(struct T *p) { p->y = 1; assert(p->y == 1); return 0; }",
    ];
    let programs: Vec<String> = uses.iter().map(|text| format!("{ORDER}{text}")).collect();
    let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
    assert_unknown("scalar_storage_order", &programs);
}

#[test]
fn two_names_of_one_symbol_are_unknown() {
    assert_unknown(
        "the symbol `a`",
        &[
            "int a = 1; extern int b __attribute__((alias(\"a\")));\n\
             int main(void) { a = 5; b = 6; assert(a == 5); }",
            "int a = 1; extern int b __asm__(\"a\");\n\
             int main(void) { a = 5; b = 6; assert(a == 5); }",
            "extern int b __asm__(\"a\"); int *p = &b; int a = 1;\n\
             int main(void) { a = 5; *p = 6; assert(a == 5); }",
            "int a(void) { return 1; } int b(void) __asm__(\"a\");\n\
             int main(void) { assert(a != b); }",
            "int a = 1; __asm__(\".globl b\\n.set b, a\"); extern int b;\n\
             int main(void) { a = 5; b = 6; assert(a == 5); }",
        ],
    );
}

#[test]
fn pragmas_that_change_meaning_make_everything_unknown() {
    assert_unknown(
        "the pragma `",
        &[
            "#pragma weak w\nextern void w(void); int main(void) { if (!w) assert(0); }",
            "#pragma scalar_storage_order big-endian\nstruct S { int x; } s = { 1 };\n\
             int main(void) { assert(*(char *)&s == 1); }",
            "#pragma GCC optimize(\"wrapv\")\nint f(int x) { assert(x < 0 || x + 1 > 0); return 0; }",
            "#pragma pack(1u)\nstruct s { char c; int i; }; int f(void) { assert(sizeof(struct s) == 8); return 0; }",
            "#pragma pack 1\nstruct s { char c; int i; }; int f(void) { assert(sizeof(struct s) == 5); return 0; }",
            "#pragma GCC optimize(\"fast-math\")\nint f(float x) { assert(x - x + 1 > 0); return 0; }",
        ],
    );
}

#[test]
fn assembly_and_nested_functions_may_change_and_jump() {
    assert_unknown(
        "inline assembly",
        &[
            "int main(void) { int x = 1; __asm__ volatile(\"movl $7,%0\" : \"=r\"(x)); assert(x == 1); }",
            "int main(void) { __asm__ goto(\"jmp %l0\" : : : : out); return 0; out: assert(0); }",
            "int main(void) { __asm__ goto(\"jmp %l1\" :::: a, b); return 0; a: return 1; b: assert(0); }",
            "int x; int main(void) { __asm__(\"\" \"incl x(%rip)\"); assert(x == 0); }",
        ],
    );
    assert_unknown(
        "a nested function",
        &[
            "int main(void) { int x = 1; void f(void) { x = 2; } f(); assert(x == 1); }",
            "int main(void) { __label__ out; void f(void) { goto out; } f(); return 0; out: assert(0); }",
        ],
    );
}

#[test]
fn flags_that_change_meaning_are_refused_by_name() {
    let source = "int f(char c) { assert(c < 128); return 0; }";
    for flag in [
        "-mx32",
        "-ffast-math",
        "-mms-bitfields",
        "-fno-strict-overflow",
        "-fbrand-new",
        "@not-there",
        "--brand-new",
        "-Wl,--wrap=malloc",
    ] {
        let (text, code) = check(source, &[flag]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(&format!("the compiler flag `{flag}`")), "{text}");
    }
    let (text, _) = check(source, &["-fsigned-char", "-O2", "-fPIC", "-Wall"]);
    assert!(text.contains("VERDICT: true\n"), "{text}");
}

#[test]
fn flags_that_choose_types_and_arithmetic_are_followed() {
    for (flag, source) in [
        (
            "-funsigned-char",
            "int f(char c) { assert(c >= 0); assert('\\xff' == 255); return *\"\\xff\"; }",
        ),
        (
            "-fshort-enums",
            "enum e { A, B }; int f(void) { assert(sizeof(enum e) == 1); return 0; }",
        ),
        (
            "-fpack-struct",
            "struct s { char c; int i; }; int f(void) { assert(sizeof(struct s) == 5); return 0; }",
        ),
        (
            "-fpack-struct=2",
            "struct s { char c; int i; }; int f(void) { assert(sizeof(struct s) == 6); return 0; }",
        ),
        (
            "-fpack-struct=1",
            "struct s { char c; int : 0; char d; }; int f(void) { assert(sizeof(struct s) == 2); return 0; }",
        ),
        (
            "-fpack-struct",
            "struct s { char c; int : 0; char d; }; int f(void) { assert(sizeof(struct s) == 5); return 0; }",
        ),
        ("-Wp,-funsigned-char", "int f(char c) { assert(c >= 0); return 0; }"),
        ("--std=gnu90", "int f(void) { assert(-1 < 2147483648); return 0; }"),
        (
            "-fgnu89-inline",
            "extern inline int g(void) { return 1; } int g(void) { return 2; }\n\
             int f(void) { assert(g() == 2); return 0; }",
        ),
        ("-fwrapv", "int f(int x) { assert(x + 1 != x); return x + 1; }"),
    ] {
        let (text, code) = check(source, &[flag]);
        assert_eq!(code, Some(0), "{flag}\n{text}");
        assert!(text.contains("VERDICT: true\n"), "{flag}\n{text}");
    }
    // A proof that rests on types of memory says so where the compiler does not count on them.
    let source = "int f(int *p) { if (!p) return 0; *p = 3; assert(*p == 3); return 0; }";
    let (text, _) = check(source, &["-fno-strict-aliasing"]);
    assert!(text.contains("pointers to different types do not overlap"), "{text}");
    // Without pointers there is nothing to say.
    let (text, _) = check("int f(int x) { assert(x == x); return 0; }", &["-fno-strict-aliasing"]);
    assert!(text.contains("VERDICT: true\n"), "{text}");
    let source = "typedef int word __attribute__((__may_alias__));\n\
                  int f(float *p) { if (!p) return 0; assert(sizeof(word) == 4); return *(word *)p; }";
    let (text, _) = check(source, &[]);
    assert!(text.contains("pointers to different types do not overlap"), "{text}");
    assert!(!text.contains("the attribute"), "{text}");
}

#[test]
fn keywords_of_c23_are_keywords_there_only() {
    let source = "constexpr int n = 3; thread_local bool t = true; static_assert(alignof(int) == 4);\n\
                  int f(int *p) { assert(n == 3); if (p == nullptr) return false; assert(p != 0); return t; }";
    let (text, code) = check(source, &["-std=gnu2x"]);
    assert_eq!(code, Some(0), "{text}");
    let (text, code) = check("typedef int bool; int f(bool nullptr) { return nullptr; }", &[]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn what_openmp_makes_of_a_body_is_not_known() {
    let source = "int f(int x) { int s = 0;\n#pragma omp parallel for\nfor (int i = 0; i < 4; i++) s += x; return s; }\n\
                  int g(int x) { assert(x == x); return 0; }";
    let (text, code) = check(source, &["-fopenmp"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("the pragma `omp`") && text.contains("(x == x): holds"), "{text}");
    let (text, _) = check(source, &[]);
    assert!(!text.contains("the pragma"), "{text}");
}

#[test]
fn assembly_that_changes_nothing_is_passed_over() {
    for statement in [
        "__asm__ volatile(\"nop\");",
        "__asm__ volatile(\"cpsid i\" ::: \"memory\"); __asm__(\"dsb\\n\\tisb\");",
        "__asm__ volatile(\"rep; nop\" ::: \"memory\");",
        "__asm__(\"\" : \"+r\"(x));",
        "__asm__ volatile(\"wrmsr\" :: \"c\"(1), \"a\"(x));",
    ] {
        let source = format!("int f(int x) {{ int y = x; {statement} assert(x == y); return 0; }}");
        let (text, _) = check(&source, &[]);
        assert!(text.contains("(x == y): holds"), "{statement}\n{text}");
    }
    assert_unknown(
        "inline assembly",
        &[
            "int x; int main(void) { __asm__(\"incl x(%rip)\" ::: \"memory\"); assert(x == 0); }",
            "int x; int main(void) { __asm__(\"nop; incl x(%rip)\"); assert(x == 0); }",
            "int main(void) { int x = 1; __asm__(\"\" : \"=r\"(x)); assert(x == 1); }",
            "int main(void) { int x = 1; __asm__(\"nop\" :: \"r\"(x++)); assert(x == 1); }",
        ],
    );
    // The names in its text are used by it.
    let source =
        "int x; int main(void) { x = 1; __asm__(\"incl x(%%rip)\" :: \"r\"(1)); assert(x == 1); }";
    let (text, code) = check(source, &[]);
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn harmless_attributes_and_labels_stay_harmless() {
    let sources = [
        "__attribute__((noinline, __unused__, const)) static int g(int x) { return x; }\n\
         int f(int x) { assert(g(x) == x); return 0; }",
        "int v __asm__(\"other\") = 1; int main(void) { v = 2; assert(v == 2); }",
        "struct __attribute__((packed, designated_init)) S { char c; int x __attribute__((unused)); };\n\
         int main(void) { assert(sizeof(struct S) == 5); }",
        "int main(void) { __asm__ volatile(\"\" : : : \"memory\"); int x = 1; assert(x == 1); }",
    ];
    for source in sources {
        let (text, _) = check(source, &[]);
        assert!(text.contains("VERDICT: true\n"), "{source}\n{text}");
    }
}
