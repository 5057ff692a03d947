//! Undefined behavior is found, with its kind and place, and defined behavior is left alone.

use glassbox_interp::Outcome;
use glassbox_ir::CheckKind;

use super::{fails, returns};

#[track_caller]
fn fails_in_main(statements: &str, kind: CheckKind) {
    fails(&format!("int main(int argc) {{\n{statements} return 0; }}"), kind, 2);
}

const MIN: &str = "int min = -2147483647 - 1; int one = 1; ";

#[test]
fn signed_overflow() {
    for expression in
        ["min - one", "-min", "min * 2", "min / -one", "min % -one", "min--", "min -= 1"]
    {
        fails_in_main(&format!("{MIN} int r = {expression};"), CheckKind::SignedOverflow);
    }
    returns(
        "int main(void) { unsigned u = 0; u--; short s = 32767; s++; char c = 127; c += 1; return s + c; }",
        -32768 - 128,
    );
}

#[test]
fn division_by_zero() {
    fails_in_main("int z = 0; int r = 5 / z;", CheckKind::DivisionByZero);
    fails_in_main("unsigned z = 0; unsigned r = 5 % z;", CheckKind::DivisionByZero);
    returns("int main(void) { double z = 0; return 1 / z > 5; }", 1);
}

#[test]
fn shifts() {
    fails_in_main("int n = 32; int r = 1 << n;", CheckKind::ShiftAmount);
    fails_in_main("int n = -1; unsigned r = 1u >> n;", CheckKind::ShiftAmount);
    fails_in_main("int n = 31; int r = 1 << n;", CheckKind::ShiftOverflow);
    fails_in_main("int n = -1; int r = n << 1;", CheckKind::ShiftOverflow);
    returns(
        "int main(void) { unsigned n = 31; return (1u << n) != 0 && -8 >> 1 == -4 && 1L << 40; }",
        1,
    );
}

#[test]
fn floats_that_do_not_fit() {
    fails_in_main("double d = 2147483648.0; int r = d;", CheckKind::FloatToInt);
    fails_in_main("double d = -1.0; unsigned char r = d;", CheckKind::FloatToInt);
    fails_in_main("double d = 0; float n = d / d; long r = n;", CheckKind::FloatToInt);
    fails_in_main("float f = 9.3e18f; long r = f;", CheckKind::FloatToInt);
    returns(
        "int main(void) { double d = -2147483648.9; return (int)d + (int)(unsigned char)-0.9; }",
        i32::MIN,
    );
}

#[test]
fn uninitialized_reads() {
    fails_in_main("int x; int y = x + 1;", CheckKind::Uninitialized);
    fails(
        "int main(void) { int x; if (x == 3)\n return 1; return 0; }",
        CheckKind::Uninitialized,
        1,
    );
    fails(
        "int f(int c) { int x; if (c) x = 1;\n return x; }\nint main(void) { return f(1) + f(0); }",
        CheckKind::Uninitialized,
        2,
    );
    returns(
        "struct S { char c; int i; }; int main(void) { struct S a, b; a.c = 1; a.i = 2; b = a; return b.i; }",
        2,
    );
}

/// The last array of a variable is as long as its type says; behind a pointer there may be more.
#[test]
fn bounds_of_last_members_and_of_arrays_in_unions() {
    let records = "union u { unsigned char b[4]; struct { char c, d; } i[2]; };
        struct s { int first; union u u; int end; }; struct t { int n; int last[1]; };";
    let out_of_bounds = |statements: &str| {
        let main = format!("int main(void) {{ int k = -2, j = 4;\n{statements} return 0; }}");
        fails(&format!("{}\n{main}", records.replace('\n', " ")), CheckKind::OutOfBounds, 3);
    };
    out_of_bounds("struct s v = {0}; int r = v.u.i[k].c;");
    out_of_bounds("struct s v = {0}; v.u.b[j] = 1;");
    out_of_bounds("struct t v[2] = {0}; struct t w = {0}; w.last[1 + k + k + j] = 1;");
    returns(
        &format!(
            "#include <stdlib.h>\n{records} int main(void) {{ struct t *p = malloc(64); struct s v = {{0}};
             p->last[9] = 5; v.u.b[3] = 2; return p->last[9] + v.u.i[1].d; }}"
        ),
        7,
    );
}

#[test]
fn array_bounds() {
    fails_in_main("int a[3] = { 0 }; int i = 3; a[i] = 1;", CheckKind::OutOfBounds);
    fails_in_main("int a[2][3] = { 0 }; int i = 3; int r = a[0][i];", CheckKind::OutOfBounds);
    fails_in_main("int a[3] = { 0 }; int *p = a; int r = p[-1];", CheckKind::OutOfBounds);
    fails_in_main("int a[3]; int *p = a + 4;", CheckKind::PointerOverflow);
    returns(
        "struct F { int n; int d[]; }; int main(void) { int a[3] = { 1, 2, 3 }; int *p = &a[3]; return p[-1]; }",
        3,
    );
}

#[test]
fn null_and_dangling_pointers() {
    fails_in_main("int *p = 0; *p = 1;", CheckKind::NullDereference);
    fails_in_main("struct { int a, b; } *p = 0; int r = p->b;", CheckKind::NullDereference);
    fails_in_main("int *p; { int x = 1; p = &x; } int r = *p;", CheckKind::UseAfterScope);
    fails(
        "int *f(void) { int x = 1; return &x; }\nint main(void) { return *f(); }",
        CheckKind::UseAfterScope,
        2,
    );
}

#[test]
fn pointers_into_different_objects_have_no_order() {
    fails_in_main("int a[2], b[2]; int r = a < b;", CheckKind::PointerCompare);
    fails_in_main("int a[2], b[2]; long r = a - b;", CheckKind::PointerCompare);
    returns("int main(void) { int a[2], b[2]; return a == b; }", 0);
}

#[test]
fn constants_are_not_written() {
    fails_in_main("char *s = \"abc\"; s[1] = 'x';", CheckKind::WriteToConstant);
    fails(
        "const int k = 5;\nint main(void) { *(int *)&k = 6; return 0; }",
        CheckKind::WriteToConstant,
        2,
    );
}

#[test]
fn calls_through_wrong_pointers() {
    fails(
        "int f(int x) { return x; }\nint main(void) { int (*p)(double) = (int (*)(double))f; return p(1.0); }",
        CheckKind::BadCall,
        2,
    );
    fails(
        "int f(int a, int b);\nint main(void) { int (*p)(void) = 0; return p(); }",
        CheckKind::NullDereference,
        2,
    );
}

#[test]
fn lengths_of_arrays_are_positive() {
    fails_in_main("int n = 0; int v[n];", CheckKind::VlaSize);
    fails_in_main("int n = -5; int v[n];", CheckKind::VlaSize);
}

#[test]
fn missing_results_that_are_used() {
    fails(
        "int f(int c) { if (c) return 1;\n}\nint main(void) { return f(1) + f(0); }",
        CheckKind::MissingReturn,
        2,
    );
}

#[test]
fn assertions_and_unreachable_code() {
    let text = "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
int main(void) { int x = 3;\n (x > 5) ? (void)0 : __assert_fail(\"x > 5\", \"f.c\", 3, \"main\"); return x; }";
    fails(text, CheckKind::Assertion, 3);
    fails_in_main("if (argc == argc) __builtin_unreachable();", CheckKind::Unreachable);
    fails(
        "void __VERIFIER_assert(int);\nint main(void) { int x = 1; __VERIFIER_assert(x == 1); __VERIFIER_assert(x == 2); return 0; }",
        CheckKind::Assertion,
        2,
    );
}

#[test]
fn library_memory_functions() {
    let head = "typedef unsigned long size_t; void *memcpy(void *, const void *, size_t); void *malloc(size_t); void free(void *);\n";
    fails(
        &format!(
            "{head}int main(void) {{ char a[8] = \"abcdefg\"; memcpy(a + 1, a, 4); return 0; }}"
        ),
        CheckKind::Overlap,
        2,
    );
    fails(
        &format!("{head}int main(void) {{ char a[8] = \"\", b[4]; memcpy(b, a, 5); return 0; }}"),
        CheckKind::OutOfBounds,
        2,
    );
    fails(
        &format!("{head}int main(void) {{ int *p = malloc(4); free(p); free(p); return 0; }}"),
        CheckKind::DoubleFree,
        2,
    );
    fails(
        &format!("{head}int main(void) {{ int *p = malloc(4); free(p); return *p; }}"),
        CheckKind::UseAfterFree,
        2,
    );
    fails(&format!("{head}int main(void) {{ int x; free(&x); return 0; }}"), CheckKind::BadFree, 2);
}

#[test]
fn undefined_behavior_inside_a_model_has_the_caller_on_its_stack() {
    let text = "unsigned long strlen(const char *);\nint main(void) { char s[2] = { 'a', 'b' };\nreturn (int)strlen(s); }";
    let program = super::lowered(text, glassbox_c_front::lower::Promotion::Promote);
    let outcome = super::run(&program);
    let Outcome::Undefined(found) = outcome else {
        panic!("expected undefined behavior, found {outcome:?}");
    };
    assert_eq!(found.kind, CheckKind::OutOfBounds);
    assert_eq!(program.file(found.span.file).path, "<libc>/string.c");
    assert!(found.stack.iter().any(|entry| entry.span.line == 3), "{:?}", found.stack);
}
