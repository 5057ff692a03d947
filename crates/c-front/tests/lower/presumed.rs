//! What lowering takes for granted about compilers: orders of evaluation, promises of attributes, types and constants.

use glassbox_c_front::lower::Promotion;
use glassbox_ir::{InstrKind, Mark};

use super::lowered;

/// What `f` takes for granted, in the order of its blocks.
fn presumed(text: &str) -> Vec<&'static str> {
    let program = lowered(text, Promotion::Promote);
    let func = program.function_named("f").expect("f should be there");
    let instrs = program.body(func).blocks.iter().flat_map(|block| &block.instrs);
    let marks = instrs.filter_map(|instr| {
        let InstrKind::Mark(Mark::Presumes(what)) = instr.kind else { return None };
        Some(what.name())
    });
    marks.collect()
}

#[test]
fn changes_that_nothing_orders_are_marked() {
    for body in [
        "int i = x; i = i++ + 1; return i;",
        "int i = x; return i + i++;",
        "int i = x; a[i] = i++; return a[0];",
        "int i = x; return two(i++, i);",
        "return g + set();",
        "g += set(); return g;",
        "a[g] = set(); return 0;",
        "return two(set(), set());",
        "return set() + *p;",
        "return p[0]++ + *q;",
        "int v = x; return v + behind(&v);",
        "struct s t = {x, x}; return t.a++ + t.a;",
        "return (x ? set() : 0) + g;",
    ] {
        assert_eq!(presumed(&with_helpers(body)), ["order"], "{body}");
    }
}

#[test]
fn what_comes_out_the_same_is_not_marked() {
    for body in [
        "int i = x; i = i + 1; return i++;",
        "int i = x; return (i++, i) + 1;",
        "int i = x; return i++ && i;",
        "int i = x, j = x; a[i++] = a[j++]; return 0;",
        "g = set(); return g;",
        "int v = g; return v + set();",
        "return pure(x) + pure(x + 1) + g;",
        "return set() + x;",
        "*p++ = *q++; return 0;",
        "a[0] = a[1] = x; return 0;",
        "struct s t = {x, x}; return t.a++ + t.b++;",
        "struct s t = {x, x}, *u = &t; u->a = u->b = 0; return t.a;",
        "int n = 0; while (*p) n = n * 10 + *p++; return n;",
    ] {
        assert_eq!(presumed(&with_helpers(body)), Vec::<&str>::new(), "{body}");
    }
}

fn with_helpers(body: &str) -> String {
    format!(
        "struct s {{ int a, b; }};\nstatic int g, a[4];\n\
         static int set(void) {{ g = 2; return 1; }}\n\
         static int pure(int x) {{ return x + a[0]; }}\n\
         static int behind(int *p) {{ *p = 3; return 1; }}\n\
         static int two(int x, int y) {{ return x - y; }}\n\
         int *keep[] = {{&g}};\n\
         int f(int x, int *p, int *q) {{ {body} }}\n"
    )
}

#[test]
fn promises_are_compared_with_bodies() {
    let called = |declaration: &str, body: &str| {
        let text = format!(
            "static int g; static const int t[2] = {{1, 2}};\n\
             __attribute__(({declaration})) static int h(int x, int *p) {{ {body} }}\n\
             int f(int x) {{ return h(x, &g); }}\n"
        );
        presumed(&text)
    };
    for (declaration, body) in [
        ("pure", "return g++;"),
        ("pure", "while (x) { } return 0;"),
        ("pure", "*p = 1; return 0;"),
        ("const", "return g;"),
        ("const", "return *p;"),
        ("__const__", "return g;"),
    ] {
        assert_eq!(called(declaration, body), ["attributes"], "{declaration} {body}");
    }
    for (declaration, body) in [
        ("pure", "return g + *p;"),
        ("pure", "int v = x; v++; return v;"),
        ("const", "return x * t[1];"),
        ("noinline", "return g++;"),
    ] {
        assert_eq!(called(declaration, body), Vec::<&str>::new(), "{declaration} {body}");
    }
}

#[test]
fn constants_types_and_restrict_are_marked_where_they_may_be_forgotten() {
    let constant = "int f(void) { const int c = 5; int *p = (int *)&c; return *p; }";
    assert_eq!(presumed(constant), ["constants"]);
    // Nothing constant could be changed.
    assert_eq!(presumed("int f(const int *q) { int *p = (int *)q; return *p; }"), [""; 0]);
    assert_eq!(presumed("int f(float *q) { return *(int *)q; }"), ["types"]);
    assert_eq!(presumed("int f(char *q) { return *(int *)q; }"), [""; 0]);
    assert_eq!(presumed("int f(unsigned *q) { return *(int *)q; }"), [""; 0]);
    let restricted = |arguments: &str| {
        format!(
            "static int h(int *restrict p, int *q) {{ *p = 1; return *q; }}\n\
             int f(int *x, int *y) {{ int a, b = 0; a = 0; return h({arguments}); }}\n"
        )
    };
    assert_eq!(presumed(&restricted("x, y")), ["restrict"]);
    assert_eq!(presumed(&restricted("&a, &a")), ["restrict"]);
    assert_eq!(presumed(&restricted("&a, &b")), [""; 0]);
}

#[test]
fn pointers_that_forget_their_member_are_marked_and_so_are_accesses_that_may_use_them() {
    let types = "struct s { char name[8]; int n; }; struct view { char *text; };\n\
                 static void put(char *p, int i) { p[i] = 1; }\n";
    let marks =
        |body: &str| presumed(&format!("{types}int f(struct s *s, int *q, int i) {{ {body} }}"));
    for (body, expected) in [
        ("put(s->name, i); return 0;", &["member-forgotten"][..]),
        ("put(i ? s->name + 1 : 0, i); return 0;", &["member-forgotten"]),
        ("struct view v = {s->name}; return v.text[i];", &["member-forgotten", "member-kept"]),
        (
            "static char *kept; kept = s->name; return kept[i];",
            &["member-forgotten", "member-kept"],
        ),
        ("char *p = s->name; put(p, 1); return p[i];", &["member-forgotten"]),
        // Other types, objects of their own, and what is followed.
        ("put(s->name, i); return q[i] + s->n;", &["member-forgotten"]),
        ("char own[4] = {0}; put(own, i); return own[i & 3];", &[]),
        ("char *p = s->name; return p[i];", &[]),
        ("return s->name[i];", &[]),
    ] {
        assert_eq!(marks(body), expected, "{body}");
    }
}
