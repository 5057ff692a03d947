//! Random functions over pointers: structures that point to each other, choices between objects, copies of
//! structures, lists that are walked, changed and built.

use std::fmt::Write as _;

use crate::Random;

/// The text of a program with these many functions `f0`, `f1`, ….
pub fn program_text(random: &mut Random, n_functions: usize) -> String {
    let mut text = String::from(
        "#include <stdlib.h>\n#include <string.h>\n\
         extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         #define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"\", __LINE__, \"\"))\n\
         struct node { int v; short w; struct node *next; int *d; struct node *prev; };\n\
         struct pair { struct node n; int u; float t; };\n\
         struct node *head; int g = 3;\n\
         static void bump(int *p) { if (*p < 50) *p = *p + 3; }\n\
         static void swap(struct node *p, struct node *q) { struct node t = *p; *p = *q; *q = t; }\n\
         static struct node *put(struct node *p, int v) { p->v = v; return p->next ? p->next : p; }\n",
    );
    for function in 0..n_functions {
        let _ = writeln!(
            text,
            "int f{function}(int a, int b, struct node *p, struct node *q, int *r) {{\n  \
             int x = {}, y = {}, s[3] = {{1, 2, {}}}, *i = {};\n  \
             struct node m, l = {{{}, 1, {}, &y, 0}}, *n = {}, *k = &l;\n  struct pair c;",
            random.pick(&["a", "b", "0", "7"]),
            random.pick(&["a & 7", "b & 15", "1", "-2"]),
            random.pick(&["3", "a", "x"]),
            random.pick(&["&x", "a > b ? &x : &y", "a > 0 ? s + 1 : &y", "b ? &x : 0"]),
            random.pick(&["a", "5"]),
            random.pick(&["0", "0", "p", "&m"]),
            random.pick(&["0", "&l", "p", "a > 1 ? &l : p", "malloc(sizeof *n)", "head"]),
        );
        let _ = writeln!(text, "  m = l; c.n = m; c.u = 4;");
        if random.below(10) != 0 {
            let _ = writeln!(text, "  if (!p || !q || !r || !i) return 0;");
        }
        if random.below(5) != 0 {
            let _ = writeln!(text, "  if (!n) return 1;");
        }
        if random.below(3) == 0 {
            let _ = writeln!(text, "  n->v = 1; n->next = {}; n->d = &x;", node(random));
        }
        for _ in 0..4 + random.below(5) {
            statement(random, &mut text, 1, 1);
        }
        if random.below(6) == 0 {
            let _ = writeln!(text, "  free(n);");
        }
        let _ = writeln!(text, "  return x ^ y;\n}}");
    }
    text
}

/// A pointer to a structure.
fn node(random: &mut Random) -> &'static str {
    random.pick(&[
        "p",
        "p",
        "q",
        "n",
        "k",
        "(&l)",
        "(&m)",
        "(&c.n)",
        "p->next",
        "q->next",
        "p->prev",
        "k->next",
        "n->next",
        "(a > 2 ? p : q)",
        "(b > 1 ? &l : &m)",
        "head",
    ])
}

/// Something to write to or to read from, of type `int`.
fn cell(random: &mut Random) -> String {
    match random.below(12) {
        0..3 => format!("{}->v", node(random)),
        3 => format!("{}->w", random.pick(&["p", "q", "k", "n"])),
        4 => "*i".to_owned(),
        5 => format!("r[{}]", random.below(2)),
        6 => random.pick(&["*l.d", "*p->d", "*m.d"]).to_owned(),
        7 => random.pick(&["l.v", "m.v", "c.n.v", "c.u", "m.w"]).to_owned(),
        8 => random.pick(&["s[1]", "s[2]", "g"]).to_owned(),
        _ => random.pick(&["x", "y"]).to_owned(),
    }
}

fn value(random: &mut Random) -> String {
    match random.below(5) {
        0 => random.pick(&["0", "1", "4", "-3", "100"]).to_owned(),
        1 => format!("({} & 15)", cell(random)),
        2 => "(x < 30 ? x + 1 : 2)".to_owned(),
        3 => random.pick(&["a", "b & 31", "b"]).to_owned(),
        _ => cell(random),
    }
}

fn condition(random: &mut Random) -> String {
    if random.below(4) == 0 {
        let (a, b) = (node(random), node(random));
        return match random.below(3) {
            0 => format!("{a} == {b}"),
            1 => format!("{a} != {b}"),
            _ => format!("{a} != 0"),
        };
    }
    let (a, b) = (cell(random), value(random));
    format!("{a} {} {b}", random.pick(&["<", "<=", ">", "==", "!=", ">="]))
}

fn statement(random: &mut Random, text: &mut String, depth: u32, indent: usize) {
    let pad = "  ".repeat(indent);
    let _ = match random.below(if depth == 0 { 17 } else { 26 }) {
        0..3 => writeln!(text, "{pad}{} = {};", cell(random), value(random)),
        3..6 => writeln!(text, "{pad}assert({});", condition(random)),
        6 => writeln!(text, "{pad}bump({});", random.pick(&["i", "r + 1", "&q->v", "&x", "&l.v"])),
        7 => writeln!(text, "{pad}{}->next = {};", node(random), node(random)),
        8 => writeln!(text, "{pad}{}->prev = {};", node(random), node(random)),
        9 => writeln!(
            text,
            "{pad}{} = {};",
            random.pick(&["p", "q", "n", "k", "head"]),
            node(random)
        ),
        10 => writeln!(
            text,
            "{pad}{} = {};",
            random.pick(&["m", "l", "*p", "*k", "c.n", "*n"]),
            random.pick(&["l", "*p", "*q", "m", "*k", "c.n"])
        ),
        11 => writeln!(
            text,
            "{pad}if ({}) {} = {};",
            condition(random),
            random.pick(&["i", "l.d", "p->d", "i"]),
            random.pick(&["&x", "&y", "r", "s + 1", "&l.v", "&p->v", "&g"])
        ),
        12 => writeln!(text, "{pad}swap({}, {});", node(random), node(random)),
        13 => writeln!(text, "{pad}k = put({}, {});", node(random), value(random)),
        14 => match random.below(4) {
            0 => writeln!(text, "{pad}memcpy(&m, {}, sizeof m);", node(random)),
            1 => writeln!(text, "{pad}memset({}, 0, sizeof m);", node(random)),
            2 => writeln!(text, "{pad}memset(&m, 0, 6);"),
            _ => writeln!(text, "{pad}memcpy(s, r, 8);"),
        },
        15 => {
            writeln!(text, "{pad}*(char *)&{} = 3;", random.pick(&["x", "l.v", "p->v", "m.next"]))
        }
        16 => {
            writeln!(text, "{pad}if ({}) {} = {};", condition(random), cell(random), value(random))
        }
        17..20 => {
            let _ = writeln!(text, "{pad}if ({}) {{", condition(random));
            statement(random, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
        20 => {
            let _ = writeln!(text, "{pad}for (int j = 0; j < 5 && k; j++) {{");
            statement(random, text, depth - 1, indent + 1);
            writeln!(text, "{pad}  k = k->next;\n{pad}}}")
        }
        21 => {
            let _ = writeln!(
                text,
                "{pad}for (int j = 0; j < {}; j++) {{",
                random.pick(&["3", "a", "2"])
            );
            let _ = writeln!(
                text,
                "{pad}  struct node *z = malloc(sizeof *z); if (!z || j > 6) return 2;\n{pad}  \
                 z->v = {}; z->next = k; z->prev = 0; z->d = r; k = z;",
                random.pick(&["j", "3", "x"])
            );
            statement(random, text, depth - 1, indent + 1);
            writeln!(
                text,
                "{pad}}}\n{pad}assert(k->v == {});",
                random.pick(&["3", "2", "x", "a - 1"])
            )
        }
        22 => writeln!(text, "{pad}while (p->v < {}) p->v++;", random.pick(&["9", "a & 15", "3"])),
        23 => writeln!(
            text,
            "{pad}for (struct node *z = {}, *o = 0; z && x < 90; o = z, z = z->next) {{ x++; {} }}",
            node(random),
            random.pick(&[
                "z->v = 2;",
                "z->prev = o;",
                "if (o) o->v = x;",
                "assert(z != o);",
                "g++;"
            ])
        ),
        24 => {
            let _ = writeln!(text, "{pad}if ({}) {{", condition(random));
            statement(random, text, depth - 1, indent + 1);
            let _ = writeln!(text, "{pad}}} else {{");
            statement(random, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
        _ => writeln!(
            text,
            "{pad}if ({0}->next) {{ {0}->next->v = {1}; assert({0}->next->v == {1}); }}",
            random.pick(&["p", "q", "k", "n"]),
            random.pick(&["3", "a", "x", "b & 3"])
        ),
    };
}
