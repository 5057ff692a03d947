//! Random functions of loops over integers of several types, with calls, a small array, structures and asserts.

use std::fmt::Write as _;

use crate::Random;

const TYPES: &[&str] = &["unsigned char", "signed char", "int", "unsigned", "short", "long"];
const VARS: &[&str] = &["a", "b", "x", "y", "z"];

/// The text of a program with these many functions `f0`, `f1`, ….
pub fn program_text(random: &mut Random, n_functions: usize) -> String {
    let mut text = String::from(
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         #define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"\", __LINE__, \"\"))\n\
         static int mark;\n\
         static int clamp(int v) { return v < 0 ? 0 : v > 20 ? 20 : v; }\n\
         static void bump(int *p) { if (*p < 50) *p = *p + 3; }\n\
         static const short table[5] = {4, -2, 9, 0, 7};\n\
         struct pair { int u; short v; };\n\
         static int sum_to(int n) { int s = 0; for (int i = 0; i < n && i < 9; i++) { if (i == 4) continue; s += i; } return s; }\n\
         static void put(unsigned char *p, int i, int v) { p[i & 3] = v; }\n\
         static void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }\n\
         static void both(struct pair *p, int d) { do { p->u++; p->v += 2; d--; } while (d > 0 && p->v < 40); }\n",
    );
    for function in 0..n_functions {
        let (p, q) = (random.pick(TYPES), random.pick(TYPES));
        let _ = writeln!(text, "int f{function}({p} a, {q} b) {{");
        for var in ["x", "y", "z"] {
            let ty = random.pick(TYPES);
            let init = if random.below(2) == 0 {
                random.pick(&["a", "b"]).to_owned()
            } else {
                constant(random)
            };
            let _ = writeln!(text, "  {ty} {var} = {init};");
        }
        let _ = writeln!(text, "  int w = 0, v = 5; unsigned char t[4] = {{1, 2, 3, 4}};");
        let _ = writeln!(text, "  struct pair r = {{1, 2}}; int *p = &w; mark = 0;");
        let n = 3 + random.below(4);
        for _ in 0..n {
            statement(random, &mut text, 2, 1);
        }
        let _ = writeln!(text, "  return (int)(x ^ y) + w + t[z & 3];\n}}");
    }
    text
}

fn leaf(random: &mut Random) -> String {
    match random.below(8) {
        0..4 => random.pick(VARS).to_owned(),
        4 => "w".to_owned(),
        5 => match random.below(6) {
            0 => "v".to_owned(),
            1 => "r.u".to_owned(),
            2 => "r.v".to_owned(),
            3 => format!("table[({} & 7) % 5]", random.pick(VARS)),
            4 => "mark".to_owned(),
            _ => format!("t[{} & 3]", random.pick(VARS)),
        },
        _ => constant(random),
    }
}

fn constant(random: &mut Random) -> String {
    random
        .pick(&["0", "1", "2", "3", "5", "7", "10", "16", "100", "127", "200", "255", "-1", "-5"])
        .to_owned()
}

fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return leaf(random);
    }
    let a = expression(random, depth - 1);
    let b = expression(random, depth - 1);
    match random.below(14) {
        0..4 => format!("({a} + {})", constant(random)),
        4..6 => format!("({a} - {b})"),
        6 => format!("({a} + {b})"),
        7 => format!("({a} & {})", random.pick(&["3", "7", "15", "0x7f"])),
        8 => format!("({a} * {})", random.pick(&["2", "3", "4", "-1"])),
        9 => format!("({a} % {})", random.pick(&["3", "5", "8"])),
        10 => format!("({a} / {})", random.pick(&["2", "3"])),
        11 => format!("({a} >> {})", random.pick(&["1", "2"])),
        12 => format!("clamp({a})"),
        _ => format!("({a} < {b} ? {a} : {b})"),
    }
}

fn condition(random: &mut Random) -> String {
    let a = expression(random, 0);
    let b = if random.below(2) == 0 { constant(random) } else { leaf(random) };
    let op = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    let first = format!("{a} {op} {b}");
    if random.below(5) == 0 {
        let joint = random.pick(&["&&", "||"]);
        format!(
            "{first} {joint} {} {} {}",
            leaf(random),
            random.pick(&["<", ">="]),
            constant(random)
        )
    } else {
        first
    }
}

fn statement(random: &mut Random, text: &mut String, depth: u32, indent: usize) {
    let pad = "  ".repeat(indent);
    match random.below(if depth == 0 { 8 } else { 13 }) {
        0..4 => {
            let (var, value) = (random.pick(&["x", "y", "z", "w", "v"]), expression(random, 1));
            let _ = writeln!(text, "{pad}{var} = {value};");
        }
        4 => {
            let _ = writeln!(text, "{pad}if ({}) mark = {};", condition(random), random.below(9));
        }
        5 => {
            let _ = writeln!(text, "{pad}assert({});", condition(random));
        }
        6 => {
            let (index, value) = (leaf(random), expression(random, 1));
            let _ = writeln!(text, "{pad}t[{index} & 3] = {value};");
        }
        7 => {
            let _ = match random.below(9) {
                0 => writeln!(text, "{pad}swap(&w, &v);"),
                1 => writeln!(text, "{pad}put(t, {}, {});", leaf(random), leaf(random)),
                2 => writeln!(text, "{pad}both(&r, {});", leaf(random)),
                3 => writeln!(text, "{pad}if ({}) p = &v;", condition(random)),
                4 => writeln!(text, "{pad}*p = {} & 31;", leaf(random)),
                5 => writeln!(text, "{pad}w = sum_to({});", leaf(random)),
                6 => writeln!(text, "{pad}mark = mark < 9 ? mark + 1 : 3;"),
                7 => writeln!(text, "{pad}r.u = {};", expression(random, 1)),
                _ => writeln!(text, "{pad}bump(&w);"),
            };
        }
        8..10 => {
            let _ = writeln!(text, "{pad}if ({}) {{", condition(random));
            statement(random, text, depth - 1, indent + 1);
            if random.below(2) == 0 {
                let _ = writeln!(text, "{pad}}} else {{");
                statement(random, text, depth - 1, indent + 1);
            }
            let _ = writeln!(text, "{pad}}}");
        }
        10 => {
            let var = random.pick(&["x", "y", "z"]);
            let bound = if random.below(2) == 0 { constant(random) } else { leaf(random) };
            let step = random.pick(&["++", " += 2", " += 3"]);
            let _ = writeln!(text, "{pad}for ({var} = 0; {var} < {bound}; {var}{step}) {{");
            for _ in 0..=random.below(2) {
                statement(random, text, depth - 1, indent + 1);
            }
            let _ = writeln!(text, "{pad}}}");
        }
        11 => {
            let _ = writeln!(text, "{pad}while ({}) {{", condition(random));
            for _ in 0..=random.below(2) {
                statement(random, text, depth - 1, indent + 1);
            }
            let (var, step) = (random.pick(&["x", "y", "z"]), random.pick(&["++", "--", " += 3"]));
            let _ = writeln!(text, "{pad}  {var}{step};");
            if random.below(3) == 0 {
                let _ = writeln!(text, "{pad}  if ({}) break;", condition(random));
            }
            let _ = writeln!(text, "{pad}}}");
        }
        _ => {
            let _ = writeln!(text, "{pad}switch ({} & 3) {{", leaf(random));
            for case in 0..3 {
                let _ = writeln!(text, "{pad}case {case}:");
                statement(random, text, 0, indent + 1);
                let _ = writeln!(text, "{pad}  {}", random.pick(&["break;", "break;", ";"]));
            }
            let _ = writeln!(text, "{pad}}}");
        }
    }
}
