//! Random functions over memory: fields and arrays behind pointers that may be the same, a global array, and an
//! allocated one; filled, copied and scanned by loops.

use std::fmt::Write as _;

use crate::Random;

/// The text of a program with these many functions `f0`, `f1`, ….
pub fn program_text(random: &mut Random, n_functions: usize) -> String {
    let mut text = String::from(
        "#include <stdlib.h>\n\
         extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         #define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"\", __LINE__, \"\"))\n\
         int g[6];\n\
         struct pair { int u; short v; long w; };\n\
         static void bump(int *p) { if (*p < 50) *p = *p + 3; }\n\
         static void both(struct pair *p, int d) { do { p->u++; p->v += 2; d--; } while (d > 0 && p->v < 40); }\n",
    );
    for function in 0..n_functions {
        let _ = writeln!(
            text,
            "int f{function}(int a, int b, int *p, int *r, struct pair *q) {{\n  \
             int x = {}, y = {}, k = a & 3, s[4];\n  \
             int *h = {};\n  if (!h) return 0;",
            random.pick(&["a", "b", "0", "7"]),
            random.pick(&["a & 7", "b & 15", "1", "-2"]),
            random.pick(&["malloc(16)", "calloc(4, 4)", "malloc(4 * sizeof(int))"]),
        );
        if random.below(8) != 0 {
            let _ = writeln!(text, "  if (!p || !r || !q) return 0;");
        }
        if random.below(4) != 0 {
            let _ = writeln!(text, "  for (int i = 0; i < 4; i++) h[i] = {};", element(random));
        }
        let _ = writeln!(text, "  for (int i = 0; i < 4; i++) s[i] = {};", element(random));
        for _ in 0..4 + random.below(4) {
            statement(random, &mut text, 1, 1);
        }
        if random.below(3) != 0 {
            let _ = writeln!(text, "  free(h);");
        }
        if random.below(12) == 0 {
            let _ = writeln!(text, "  x = h[1];");
        }
        let _ = writeln!(text, "  return x ^ y;\n}}");
    }
    text
}

/// Something to write to or to read from, of type `int`.
fn cell(random: &mut Random) -> String {
    match random.below(12) {
        0 | 1 => "*p".to_owned(),
        2 => format!("r[{}]", random.below(3)),
        3 => format!("p[{}]", random.below(2)),
        4 | 5 => "q->u".to_owned(),
        6 => "q->v".to_owned(),
        7 => format!("g[{}]", random.pick(&["k", "0", "1", "5", "k + 1", "3 - k"])),
        8 => format!("h[{}]", random.pick(&["k", "0", "3", "3 - k"])),
        9 => format!("s[{}]", random.pick(&["k", "0", "2", "3 - k"])),
        _ => random.pick(&["x", "y"]).to_owned(),
    }
}

fn value(random: &mut Random) -> String {
    match random.below(6) {
        0 => random.pick(&["0", "1", "4", "-3", "100"]).to_owned(),
        1 => format!("({} & 15)", cell(random)),
        2 => format!("({} < 30 ? {} + 1 : 2)", "x", "x"),
        3 => random.pick(&["a", "b & 31", "k"]).to_owned(),
        _ => cell(random),
    }
}

/// What a loop over `i` stores.
fn element(random: &mut Random) -> String {
    match random.below(9) {
        0 => "i".to_owned(),
        1 => "i & 1".to_owned(),
        2 => "3 * i + 1".to_owned(),
        3 => "b".to_owned(),
        4 => "g[i]".to_owned(),
        5 => "g[5 - i]".to_owned(),
        6 => "x & 7".to_owned(),
        _ => random.pick(&["0", "5", "-1"]).to_owned(),
    }
}

fn condition(random: &mut Random) -> String {
    let (a, b) = (cell(random), value(random));
    format!("{a} {} {b}", random.pick(&["<", "<=", ">", "==", "!=", ">="]))
}

fn statement(random: &mut Random, text: &mut String, depth: u32, indent: usize) {
    let pad = "  ".repeat(indent);
    let array = random.pick(&["g", "h", "s", "r"]);
    let n = if array == "r" { "2" } else { random.pick(&["4", "3", "k", "k + 1"]) };
    let _ = match random.below(if depth == 0 { 8 } else { 15 }) {
        0..3 => writeln!(text, "{pad}{} = {};", cell(random), value(random)),
        3 | 4 => writeln!(text, "{pad}assert({});", condition(random)),
        5 => writeln!(text, "{pad}bump({});", random.pick(&["p", "r + 1", "&q->u", "&x", "h"])),
        6 => writeln!(text, "{pad}both(q, {});", random.pick(&["a", "3", "y"])),
        7 => writeln!(
            text,
            "{pad}if ({}) p = {};",
            condition(random),
            random.pick(&["r", "g + 1", "&q->u", "h"])
        ),
        8..10 => {
            let _ = writeln!(text, "{pad}if ({}) {{", condition(random));
            statement(random, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
        10 => {
            writeln!(text, "{pad}for (int i = 0; i < {n}; i++) {array}[i] = {};", element(random))
        }
        11 => writeln!(
            text,
            "{pad}for (int i = {n} - 1; i >= 0; i--) {array}[i] = {};",
            element(random)
        ),
        12 => {
            writeln!(text, "{pad}for (int i = 0; i < {n}; i++) if ({array}[i] > x) x = {array}[i];")
        }
        13 => {
            let _ = writeln!(text, "{pad}while (q->u < {}) {{", random.pick(&["9", "a", "x"]));
            let _ = writeln!(text, "{pad}  q->u++;");
            statement(random, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
        _ => {
            let _ = writeln!(
                text,
                "{pad}for (int i = 0; i < {n}; i++) if ({array}[i] != {}) y = {};",
                random.pick(&["0", "5", "b"]),
                random.pick(&["0", "i"])
            );
            writeln!(text, "{pad}assert(y == 1 || {array}[k & 1] == {});", value(random))
        }
    };
}
