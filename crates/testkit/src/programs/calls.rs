//! Random programs of functions that call each other and themselves: globals, static variables, out-parameters,
//! addresses that are kept, ends of the program, calls through pointers.

use std::fmt::Write as _;

use crate::Random;

/// The text of a program with these many functions `f0`, `f1`, …, each over the same recursive functions.
pub fn program_text(random: &mut Random, n_functions: usize) -> String {
    let mut text = String::from(
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         extern void exit(int);\n\
         #define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"\", __LINE__, \"\"))\n\
         static int count; static short low; static int t[4]; static int *keep;\n\
         static unsigned char tiny;\n",
    );
    for function in 0..4 {
        let _ = writeln!(text, "static int r{function}(int n, int a, int *p);");
    }
    for function in 0..4 {
        let _ = writeln!(text, "static int r{function}(int n, int a, int *p) {{");
        let _ = writeln!(text, "  int x = {}, y = {};", leaf(random, false), constant(random));
        if random.below(4) == 0 {
            let _ = writeln!(text, "  static int calls; if (calls < 9) calls++;");
            let _ = writeln!(text, "  assert(calls {} 9);", random.pick(&["<=", "<", "!="]));
        }
        if random.below(3) == 0 {
            let _ = writeln!(text, "  if ({}) return {};", condition(random), constant(random));
        }
        let _ = writeln!(text, "  if (n <= 0) return {};", expression(random));
        for _ in 0..2 + random.below(3) {
            statement(random, &mut text, 2, 1);
        }
        let _ = match random.below(3) {
            0 => writeln!(text, "  return {};", call(random, "p")),
            1 => writeln!(text, "  return {} + 1;", call(random, "&x")),
            _ => writeln!(text, "  return {};", expression(random)),
        };
        let _ = writeln!(text, "}}");
    }
    for function in 0..n_functions {
        let _ = writeln!(text, "int f{function}(int a, unsigned char b) {{");
        let _ = writeln!(text, "  int x = {}, y = b, n = b & 3, *p = &y;", constant(random));
        if random.below(2) == 0 {
            let _ = writeln!(text, "  count = {}; tiny = b;", constant(random));
        }
        if random.below(3) > 0 {
            let bounds = random.pick(&["a < 0 || a > 20", "a > 100", "a == 0", "a < -9"]);
            let _ = writeln!(text, "  if ({bounds}) return 0;");
        }
        for _ in 0..2 + random.below(3) {
            statement(random, &mut text, 1, 1);
            let to = random.pick(&["x", "y", "count"]);
            let _ = writeln!(text, "  {to} = {};", call(random, "&x"));
            let _ = writeln!(text, "  assert({});", condition(random));
        }
        let _ = writeln!(text, "  return x + y;\n}}");
    }
    text
}

fn constant(random: &mut Random) -> String {
    random.pick(&["0", "1", "2", "3", "5", "10", "16", "-1", "-7"]).to_owned()
}

fn leaf(random: &mut Random, has_locals: bool) -> String {
    let all = ["a", "n", "count", "low", "tiny", "*p", "t[n & 3]", "x", "x", "y", "y"];
    let n = if has_locals { all.len() } else { 4 };
    if random.below(4) == 0 { constant(random) } else { random.pick(&all[..n]).to_owned() }
}

fn expression(random: &mut Random) -> String {
    let (a, b) = (leaf(random, true), leaf(random, true));
    match random.below(9) {
        0 | 1 => a,
        2 => format!("({a} + {})", constant(random)),
        3 => format!("({a} - {b})"),
        4 => format!("({a} & 15)"),
        5 => format!("({a} < {b} ? {a} : {b})"),
        6 => format!("({a} % 5)"),
        7 => format!("({a} + {b})"),
        _ => format!("({a} > 30 ? 30 : {a})"),
    }
}

fn condition(random: &mut Random) -> String {
    let op = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    let b = if random.below(2) == 0 { constant(random) } else { leaf(random, true) };
    format!("{} {op} {b}", leaf(random, true))
}

fn call(random: &mut Random, pointer: &str) -> String {
    let fuel = random.pick(&["n - 1", "n - 1", "n - 2", "n / 2"]);
    let argument = expression(random);
    let pointer =
        if random.below(3) == 0 { random.pick(&["p", "&y", "&count", "t + 1"]) } else { pointer };
    if random.below(25) == 0 {
        return format!("({} ? r0 : r1)({fuel}, {argument}, {pointer})", condition(random));
    }
    format!("r{}({fuel}, {argument}, {pointer})", random.below(4))
}

fn statement(random: &mut Random, text: &mut String, depth: u32, indent: usize) {
    let pad = "  ".repeat(indent);
    let _ = match random.below(if depth == 0 { 14 } else { 17 }) {
        0..3 => {
            let to = random.pick(&["x", "y"]);
            writeln!(text, "{pad}{to} = {};", expression(random))
        }
        3 => writeln!(text, "{pad}if (count < 50) count++;"),
        4 => writeln!(text, "{pad}low = {};", expression(random)),
        5 => writeln!(text, "{pad}*p = {} & 15;", leaf(random, true)),
        6 | 7 => {
            let to = random.pick(&["x", "y", "count", "tiny", "t[n & 3]"]);
            writeln!(text, "{pad}{to} = {};", call(random, "&y"))
        }
        8 => writeln!(text, "{pad}t[{} & 3] = {} & 31;", leaf(random, true), leaf(random, true)),
        9 | 10 => writeln!(text, "{pad}assert({});", condition(random)),
        11 => writeln!(text, "{pad}if ({}) exit(3);", condition(random)),
        12 => {
            let from = random.pick(&["&x", "p", "&y"]);
            writeln!(text, "{pad}keep = {from}; tiny++;")
        }
        13 => {
            writeln!(text, "{pad}if (keep) *keep = {}; keep = 0;", constant(random))
        }
        14 | 15 => {
            let _ = writeln!(text, "{pad}if ({}) {{", condition(random));
            statement(random, text, depth - 1, indent + 1);
            let _ = writeln!(text, "{pad}}} else {{");
            statement(random, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
        _ => {
            let _ = writeln!(text, "{pad}while (y > 0 && y < 20) {{\n{pad}  y -= 3;");
            statement(random, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
    };
}
