//! What is reported to users: one message per mistake, at the right place, and nothing for correct programs.

use glassbox_c_front::diagnostics::render::{Color, render};
use glassbox_c_front::front::{Checked, Front};

fn check_text(text: &str) -> Checked {
    let mut front = Front::new();
    front.add_unit("t.c", text.as_bytes().to_vec(), &mut |_| None);
    front.finish()
}

/// `line:col severity: message` of each diagnostic.
fn messages(text: &str) -> Vec<String> {
    let checked = check_text(text);
    let show = |d: &glassbox_c_front::diagnostics::Diagnostic| {
        let place = checked.sources.resolve(d.span.expect("a place"));
        let kind = if d.is_error() { "error" } else { "warning" };
        format!("{}:{} {kind}: {}", place.line, place.column, d.message())
    };
    checked.diagnostics.iter().map(show).collect()
}

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    assert_eq!(messages(text), expect, "{text}");
}

#[track_caller]
fn check_fine(text: &str) {
    check(text, &[]);
}

#[test]
fn syntax_errors_name_what_was_expected() {
    check("int f(void) { return 1 }", &["1:24 error: expected `;`, found `}`"]);
    check(
        "int f(void) { int x = ; return x; }",
        &["1:23 error: expected an expression, found `;`"],
    );
    check("int f(void) { if 1 return 2; return 3; }", &["1:18 error: expected `(`, found `1`"]);
    check("int f(void) { return (1 + 2; }", &["1:28 error: expected `)`, found `;`"]);
    check(
        "int f(void) {",
        &["1:14 error: expected `}` at the end of the block, found end of file"],
    );
    check("struct S { int a }", &["1:19 error: expected a name, found end of file"]);
    check("int a = @;", &["1:9 error: stray `@` in program"]);
    check("char *s = \"abc\n;", &["1:11 error: the closing quote is missing"]);
    check("int x = 12ab;", &["1:9 error: `12ab` is not a number"]);
}

#[test]
fn several_errors_are_collected() {
    check(
        "int f(void) { return a; }\nint g(void) { return 1 + ; }\nint h(int x) { x.y = 1; return b; }",
        &[
            "1:22 error: `a` is not declared",
            "2:26 error: expected an expression, found `;`",
            "3:16 error: `int` is not a struct or union",
            "3:32 error: `b` is not declared",
        ],
    );
    let many: String = (0..200).map(|n| format!("int f{n}(void) {{ return u{n}; }}\n")).collect();
    let found = messages(&many);
    assert_eq!(found.len(), 51);
    assert!(found[50].contains("more than 50 errors"), "{}", found[50]);
}

#[test]
fn names_and_declarations() {
    check("int x; int x = 1; int x = 2;", &["1:23 error: redefinition of `x`"]);
    check(
        "int f(int); long f(int);",
        &["1:18 error: conflicting types for `f`: `long (int)` here, `int (int)` before"],
    );
    check("foo x;", &["1:1 error: `foo` is not a type"]);
    check("struct S { int a; }; struct S { int b; };", &["1:22 error: redefinition of `S`"]);
    check("struct S s;", &["1:10 error: `struct S` is an incomplete type"]);
    check("int f(void) { int a; int a; return 0; }", &["1:26 error: redefinition of `a`"]);
    check("int f(void) { goto end; }", &["1:20 error: the label `end` is not defined"]);
    check("void x;", &["1:6 error: `x` cannot have type void"]);
    check("int a[-1];", &["1:7 error: the size of the array is negative"]);
    check("extern int n; int a[n];", &["1:21 error: an integer constant is needed"]);
    check(
        "int f(void) { return 1; } int f(void) { return 2; }",
        &["1:31 error: redefinition of `f`"],
    );
    check("struct S { int a, a; };", &["1:19 error: duplicate member `a`"]);
    check("struct S { int a : 33; };", &["1:16 error: bad width 33 of a bit-field"]);
    check("long long long x;", &["1:1 error: these type words do not go together"]);
    check("int f(void)[3];", &["1:6 error: a function cannot return `int [3]`"]);
}

#[test]
fn types() {
    check(
        "int f(int *p) { return p * 2; }",
        &["1:24 error: `*` does not apply to `int *` and `int`"],
    );
    check(
        "struct S { int a; } s; int f(void) { return s; }",
        &["1:45 error: `struct S` does not convert to `int`"],
    );
    check(
        "const int c = 1; void f(void) { c = 2; }",
        &["1:33 error: an object of type `const int` cannot be changed"],
    );
    check("void f(void) { 1 = 2; }", &["1:16 error: this is not an object that can be changed"]);
    check(
        "int f(int a) { return f(1, 2); }",
        &["1:28 error: too many arguments: 2 given, 1 needed"],
    );
    check("int f(int a) { return f(); }", &["1:23 error: too few arguments: 0 given, 1 needed"]);
    check("int f(int a) { return a(1); }", &["1:23 error: `int` is not a function"]);
    check(
        "void g(void); int f(void) { return g(); }",
        &["1:36 error: a void expression has no value"],
    );
    check(
        "int f(double d) { return d % 2; }",
        &["1:26 error: `%` does not apply to `double` and `int`"],
    );
    check("int f(struct S *p) { return p->x; }", &["1:29 error: `struct S` is an incomplete type"]);
    check(
        "struct S { unsigned b : 3; }; unsigned *f(struct S *s) { return &s->b; }",
        &["1:65 error: a bit-field has no address and no size"],
    );
    check(
        "_Static_assert(sizeof(int) == 2, \"small\");",
        &["1:1 error: static assertion failed: small"],
    );
    check("int x = 1 / 0;", &["1:9 error: division by zero in a constant"]);
    check("int y; int x = y;", &["1:16 error: this is not a constant"]);
    check(
        "int f(int x) { switch (x) { case 1: case 1: ; } return 0; }",
        &["1:37 error: duplicate case value 1"],
    );
    check("int a[2] = {[5] = 1};", &["1:13 error: the index is outside of the array"]);
    check("struct S { int a; } s = {.b = 1};", &["1:27 error: `struct S` has no member `b`"]);
}

#[test]
fn what_a_compiler_accepts_is_only_a_warning() {
    check("int f(void) { return g(); }", &["1:22 warning: `g` is called without a declaration"]);
    check("f() { return 1; }", &["1:1 warning: `f` has no type and is taken as int"]);
    check(
        "int *p = 5;",
        &["1:10 warning: the integer type `int` is converted to the pointer type `int *`"],
    );
    check(
        "char *f(int *p) { return p; }",
        &["1:26 warning: `int *` is converted to the incompatible pointer type `char *`"],
    );
    check(
        "char *f(const char *p) { return p; }",
        &["1:33 warning: the conversion to `char *` drops a qualifier of the pointed-to type"],
    );
    check("int a[2] = {1, 2, 3};", &["1:19 warning: more initializers than elements"]);
    check(
        "int f(int a) { if (a) return; return 1; }",
        &["1:23 warning: `return` without a value in a function that returns one"],
    );
}

#[test]
fn correct_but_unusual_programs_are_fine() {
    check_fine("int (*f(int a))(int b); int (*f(int a))(int b) { return 0; }");
    check_fine("typedef int T; int f(T T) { return T; } int g(void) { T T = 1; return T; }");
    check_fine(
        "void f(int n, int a[n][n]) { a[1][2] = n; } void g(int n, int (*p)[n + 1]) { f(n, p); }",
    );
    check_fine(
        "int f(a, b) int a; char *b; { return a + *b; } int g(void) { return f(1, \"x\"); }",
    );
    check_fine(
        "struct A { struct B *b; }; struct B { struct A a; }; int f(struct A *a) { return a->b->a.b == a->b; }",
    );
    check_fine(
        "extern int e; int f(void) { extern int e; { extern int e; return e; } } int e = 3;",
    );
    check_fine("int f(void) { struct S; struct S { int x; } s = {1}; return s.x; }");
    check_fine(
        "enum e { A, B = A + 5, C }; int a[C] = {[B] = 1}; enum e g = 3; int f(enum e x) { return x == B; }",
    );
    check_fine("static int f(void); int g(void) { return f(); } static int f(void) { return 1; }");
    check_fine("int f(int x) { again: if (x-- > 0) goto again; return x; }");
    check_fine(
        "int x = sizeof(struct { int a; char b; }), y = (int){5}; char s[] = {\"x\"}; int z[][2] = {1, 2, 3};",
    );
    check_fine("int f(int c) { return c ? ({ int t = c; t * 2; }) : ({ 0; }); }");
    check_fine("void h(void (*)(void)); void k(void) { h(k); h(&k); h(*k); }");
    check_fine(
        "int f(void *p) { return *(int *)p + ((char *)p)[1]; } void *q(int *p) { return p ? p : (void *)0; }",
    );
    check_fine(
        "struct { int n; int a[]; } fl = {1, {2, 3}}; int z[0]; union { float f; int i; } u = {1.5f};",
    );
    check_fine("void f(const int *p) { const int *const *q = &p; volatile int v = **q; (void)v; }");
    check_fine(
        "__extension__ typedef struct { __extension__ union { int a; }; } X; int f(X *x) { return x->a; }",
    );
    check_fine(
        "int f(int n) { switch (n) { int x; case 1: x = 2; return x; default: break; } return 0; }",
    );
    check_fine(
        "int printf(const char *, ...); int f(void) { return printf(\"%s\" \"\\n\", __func__); }",
    );
    check_fine(
        "typedef unsigned char u8; u8 f(u8 a, u8 b) { return a + b; } u8 (*const tab[])(u8, u8) = {f, &f};",
    );
    check_fine("int f(int n) { int g(int a) { return a + n; } return g(3); }");
    check_fine("void f(void) { static int t[] = {&&a - &&b}; a: b: t[0]++; }");
    check_fine("void done(int *); void f(void) { int x __attribute__((cleanup(done))) = 1; x++; }");
    check_fine("inline int f(void) { return 1; } extern int f(void); int g(void) { return f(); }");
}

#[test]
fn diagnostics_show_the_line_and_a_caret() {
    let checked = check_text("int f(void) {\n  return missing + 1;\n}\n");
    let shown = render(&checked.diagnostics[0], &checked.sources, Color::Plain);
    assert_eq!(
        shown,
        "t.c:2:10: error: `missing` is not declared\n \
         2 |   return missing + 1;\n   |          ^^^^^^^\n  \
         = help: declare `missing` or include the header that does\n"
    );
    assert!(render(&checked.diagnostics[0], &checked.sources, Color::Ansi).contains("\x1b[1;31m"));
}
