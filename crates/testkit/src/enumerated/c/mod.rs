//! Random C functions whose inputs can be tried one by one.
//!
//! They are about what proofs get wrong: memory seen through several types, pointers that may be the same, copies of
//! bytes, function pointers, jumps into loops, recursion, arithmetic of mixed widths and signs, floats. Memory is always
//! accessed inside its object, except that indices of arrays may be wrong; arithmetic may be undefined.

mod batch;
mod expressions;
mod inputs;
mod shapes;
mod statements;

pub(super) use batch::c_batch;

use std::fmt::Write as _;

use super::marked;
use crate::Random;
use inputs::{Input, Pointee};

/// What every file begins with, on lines of its own.
const TYPES: &str = "\
#include <assert.h>
#include <string.h>
#include <stdlib.h>
#include <stdarg.h>
enum color { RED, GREEN = 3, BLUE };
struct in { unsigned char a; signed char b; };
struct bits { unsigned x : 3; int y : 4; unsigned char z : 2; _Bool w : 1; };
union un { unsigned char b[4]; unsigned short h[2]; unsigned w; struct in i[2]; signed char c; };
struct out { struct in i; short s; struct in r[2]; union un u; struct bits f; };
struct node { struct in i; short v; struct node *next; };
struct ops { int k; int (*f)(int); };
typedef int (*fn)(int);
";

/// What a function is about: three or four of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Theme {
    Structs,
    Unions,
    Bits,
    Bytes,
    Copies,
    Callbacks,
    Recursion,
    Loops,
    Jumps,
    Statics,
    Globals,
    Floats,
    Order,
    Aliases,
    Writers,
    Heap,
    Nodes,
    Long,
    Contents,
    Calls,
    Texts,
    Lists,
    Many,
    Tables,
    Indirect,
}

const THEMES: &[Theme] = &[
    Theme::Structs,
    Theme::Unions,
    Theme::Bits,
    Theme::Bytes,
    Theme::Copies,
    Theme::Callbacks,
    Theme::Recursion,
    Theme::Loops,
    Theme::Jumps,
    Theme::Statics,
    Theme::Globals,
    Theme::Floats,
    Theme::Order,
    Theme::Aliases,
    Theme::Writers,
    Theme::Heap,
    Theme::Nodes,
    Theme::Long,
    Theme::Contents,
    Theme::Calls,
    Theme::Texts,
    Theme::Lists,
    Theme::Many,
    Theme::Tables,
    Theme::Indirect,
];

const TYPE_NAMES: &[&str] = &[
    "int",
    "unsigned char",
    "signed char",
    "char",
    "short",
    "unsigned short",
    "unsigned",
    "int",
    "long long",
    "unsigned long long",
    "_Bool",
    "long",
];

/// Something of integer type that can be read and written; `@` stands for an index that is masked.
#[derive(Debug, Clone)]
struct Cell {
    text: String,
    mask: u32,
}

/// A function, with marks in its text.
struct Written {
    text: String,
    n_probes: usize,
    inputs: Vec<Input>,
    /// Whether there are inputs that are not tried.
    has_more_inputs: bool,
}

struct Writer<'r> {
    random: &'r mut Random,
    id: usize,
    text: String,
    first_probe: usize,
    n_probes: usize,
    themes: Vec<Theme>,
    cells: Vec<Cell>,
    /// Values that are only read.
    values: Vec<String>,
    floats: Vec<String>,
    /// Calls of functions of one integer, without arguments.
    callees: Vec<String>,
    n_labels: usize,
    n_counters: usize,
    is_risky: bool,
    has_more_inputs: bool,
}

/// Function number `id`, whose probes have numbers from `first_probe` on.
fn function(random: &mut Random, id: usize, first_probe: usize) -> Written {
    let mut themes = Vec::new();
    for _ in 0..3 + random.below(2) {
        themes.push(random.pick(THEMES));
    }
    let is_risky = random.one_in(6);
    let mut writer = Writer {
        random,
        id,
        text: String::new(),
        first_probe,
        n_probes: 0,
        themes,
        cells: Vec::new(),
        values: Vec::new(),
        floats: Vec::new(),
        callees: Vec::new(),
        n_labels: 0,
        n_counters: 0,
        is_risky,
        has_more_inputs: false,
    };
    let inputs = writer.function();
    let Writer { n_probes, text, has_more_inputs, .. } = writer;
    Written { n_probes, text, inputs, has_more_inputs }
}

impl Writer<'_> {
    fn has(&self, theme: Theme) -> bool {
        self.themes.contains(&theme)
    }

    fn has_cell(&self, text: &str) -> bool {
        self.cells.iter().any(|cell| cell.text == text)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "  {text}");
    }

    fn cell(&mut self, text: impl Into<String>, mask: u32) {
        self.cells.push(Cell { text: text.into(), mask });
    }

    fn mark(&mut self, text: &str) -> String {
        self.n_probes += 1;
        marked::condition(self.first_probe + self.n_probes - 1, text)
    }

    fn function(&mut self) -> Vec<Input> {
        let id = self.id;
        let inputs = self.inputs();
        self.helpers();
        let params: Vec<String> = inputs.iter().filter_map(Input::declaration).collect();
        let _ = writeln!(self.text, "int f{id}({})\n{{", params.join(", "));
        self.declarations(&inputs);
        for theme in self.themes.clone() {
            self.shape(theme);
        }
        for _ in 0..3 + self.random.below(4) {
            self.statement(2);
        }
        self.assertion();
        let result = self.expression(1);
        self.line(&format!("return (int)({result});"));
        self.text.push_str("}\n");
        inputs
    }

    fn inputs(&mut self) -> Vec<Input> {
        let id = self.id;
        let mut inputs = Vec::new();
        let wanted = 1 + self.random.below(3);
        for name in ["a", "b", "c"].into_iter().take(wanted) {
            let input = match self.random.below(if name == "a" { 6 } else { 14 }) {
                0..3 => Input::scalar(name, "unsigned char"),
                3 => Input::scalar(name, "signed char"),
                4 => Input::scalar(name, "_Bool"),
                5 => Input::scalar(name, "char"),
                6 => Input::scalar(name, "enum color"),
                7 => Input::scalar(name, "int"),
                8 => Input::scalar(name, "short"),
                9 => Input::scalar(name, "unsigned"),
                10 => Input::scalar(name, "long long"),
                11 => Input::scalar(name, "double"),
                12 => Input::scalar(name, "float"),
                _ => Input::scalar(name, "_Bool"),
            };
            if input.is_float() {
                self.floats.push(name.to_owned());
            } else {
                self.values.push(name.to_owned());
            }
            inputs.push(input);
        }
        if self.has(Theme::Structs) && self.random.one_in(2) {
            inputs.push(Input::record("t"));
            self.cell("t.a", 0);
            self.cell("t.b", 0);
        }
        if self.has(Theme::Globals) {
            let kind = self.random.pick(&["unsigned char", "signed char", "int", "_Bool"]);
            let linkage = self.random.pick(&["static ", ""]);
            let _ = writeln!(self.text, "{linkage}{kind} g{id} = 1;");
            inputs.push(Input::global(&format!("g{id}"), kind));
            self.cell(format!("g{id}"), 0);
        }
        if self.has(Theme::Aliases) {
            let pointee = self.random.pick(&[
                Pointee::Record,
                Pointee::Record,
                Pointee::Outer,
                Pointee::Integers,
                Pointee::Union,
            ]);
            inputs.push(Input::pointers("p", "q", pointee));
        }
        if self.has(Theme::Nodes) {
            inputs.push(Input::pointers("m", "n", Pointee::Nodes));
        }
        if self.has(Theme::Bytes) && self.random.one_in(2) {
            inputs.push(Input::pointers("v", "w", Pointee::Bytes));
        }
        inputs
    }

    /// Functions that the function calls, each used by it alone.
    fn helpers(&mut self) {
        let id = self.id;
        let own = std::mem::take(&mut self.cells);
        let values = std::mem::replace(&mut self.values, vec!["v".to_owned()]);
        let floats = std::mem::take(&mut self.floats);
        if self.has(Theme::Callbacks) {
            for name in ["h", "k", "l"] {
                let _ = writeln!(self.text, "static int {name}{id}(int v)\n{{");
                if self.random.one_in(3) {
                    self.assertion();
                }
                let result = self.expression(1);
                self.line(&format!("return (int)({result});"));
                self.text.push_str("}\n");
            }
            let quality = self.random.pick(&["const ", ""]);
            // A table that is not constant is an input.
            self.has_more_inputs |= quality.is_empty();
            let _ = writeln!(
                self.text,
                "static {quality}fn table{id}[4] = {{h{id}, k{id}, l{id}, h{id}}};"
            );
            let _ = writeln!(self.text, "static fn pick{id}(int v)\n{{");
            let condition = self.condition(1);
            if self.random.one_in(2) {
                self.line(&format!("return {condition} ? h{id} : l{id};"));
            } else {
                self.line(&format!("if ({condition}) return k{id};"));
                self.line(&format!("return table{id}[v & 3];"));
            }
            self.text.push_str("}\n");
            let _ = writeln!(
                self.text,
                "static int apply{id}(int (*f)(int), int v)\n{{\n  return f(v) & 63;\n}}"
            );
        }
        if self.has(Theme::Recursion) {
            let _ = writeln!(self.text, "static int r{id}(int n, int v)\n{{");
            let stop = self.mark("n <= 0");
            let base = self.expression(1);
            self.line(&format!("if ({stop}) return ({base}) & 31;"));
            if self.random.one_in(3) {
                self.assertion();
            }
            let again = self.random.pick(&[
                "r#(n - 1, v) + 1",
                "r#(n - 1, v + 1)",
                "r#(n - 2, v ^ n) + v",
                "n & 1 ? r#(n - 1, v) : r#(n / 2, n)",
                "r#(n - 1, r#(n - 3, v))",
                "(unsigned char)(r#(n - 1, v) * 3)",
                "-r#(n - 1, -v)",
            ]);
            let again = again.replace('#', &id.to_string());
            let again = match again.split_once(" ? ") {
                Some((condition, rest)) => format!("{} ? {rest}", self.mark(condition)),
                None => again,
            };
            self.line(&format!("return {again};"));
            self.text.push_str("}\n");
            self.callees
                .push(format!("r{id}({},", self.random.pick(&["3", "a & 3", "(int)(a & 7)", "2"])));
        }
        if self.has(Theme::Writers) {
            let condition = self.condition(1);
            let value = self.expression(1);
            let kind = self.random.pick(&["int", "unsigned char", "short"]);
            let _ = writeln!(self.text, "static {kind} w{id}(int *p, unsigned char *o, int v)\n{{");
            self.line(&format!("if ({condition}) *p = ({value}) & 127;"));
            let value = self.random.pick(&["v", "*p", "*p + 1", "v >> 1", "*o + 1", "*p & v"]);
            let target = self.random.pick(&["*o", "o[1]", "*o"]);
            self.line(&format!("{target} = {value};"));
            let result = self.random.pick(&["*p", "*o", "*p + *o", "v"]);
            self.line(&format!("return {result};"));
            self.text.push_str("}\n");
            let _ = writeln!(self.text, "static struct in make{id}(int v, struct in i)\n{{");
            let condition = self.condition(1);
            self.line(&format!("if ({condition}) i.a = v; else i.b = v & 15;"));
            self.line("return i;\n}");
        }
        self.shape_helpers();
        self.cells = own;
        self.values = values;
        self.floats = floats;
        if self.has(Theme::Callbacks) {
            for callee in ["h#(", "table#[@](", "pick#(@)(", "apply#(h#,", "apply#(pick#(@),"] {
                self.callees.push(callee.replace('#', &id.to_string()));
            }
        }
    }

    fn declarations(&mut self, inputs: &[Input]) {
        let pointers: Vec<&str> = inputs.iter().flat_map(Input::pointer_names).collect();
        if !pointers.is_empty() {
            let tests: Vec<String> =
                pointers.iter().map(|name| self.mark(&format!("!{name}"))).collect();
            // Goals are about the operand of a negation.
            let tests: Vec<String> = tests.iter().map(|test| negation_outside(test)).collect();
            self.line(&format!("if ({}) return 0;", tests.join(" || ")));
        }
        for name in ["x", "y"] {
            let kind = self.random.pick(TYPE_NAMES);
            let value = self.expression(1);
            self.line(&format!("{kind} {name} = {value};"));
            self.cell(name, 0);
        }
        let kind = self.random.pick(&["unsigned char", "int", "short", "signed char"]);
        let value = self.expression(1);
        self.line(&format!("{kind} d[4] = {{{value}, 2, 3}};"));
        self.cell("d[@]", 3);
        if self.has(Theme::Structs)
            || self.has(Theme::Copies)
            || self.has(Theme::Bits)
            || self.has(Theme::Unions)
        {
            let value = self.expression(1);
            self.line(&format!("struct out s = {{{{1, 2}}, 3, {{{{4, 5}}, {{6, {value}}}}}}}, e;"));
            self.line("memset(&e, 0, sizeof e);");
            for cell in ["s.i.a", "s.i.b", "s.s", "e.i.b", "e.s"] {
                self.cell(cell, 0);
            }
            self.cell("s.r[@].a", 1);
            self.cell("e.r[@].b", 1);
            if self.has(Theme::Bits) {
                for cell in ["s.f.x", "s.f.y", "s.f.z", "s.f.w", "e.f.y", "e.f.w"] {
                    self.cell(cell, 0);
                }
            }
            if self.has(Theme::Unions) {
                self.cell("s.u.b[@]", 3);
                self.cell("s.u.h[@]", 1);
                self.cell("s.u.i[@].b", 1);
                self.cell("e.u.w", 0);
                self.cell("s.u.w", 0);
                self.cell("s.u.c", 0);
            }
        }
        if self.has(Theme::Bytes) {
            let value = self.expression(1);
            self.line(&format!("int j = {value};"));
            self.cell("j", 0);
            let condition = self.condition(1);
            self.line(&format!(
                "unsigned char *u = {condition} ? (unsigned char *)&j : (unsigned char *)d;"
            ));
            self.cell("u[@]", 3);
        }
        if self.has(Theme::Order) {
            let (first, second) = (self.expression(1), self.expression(1));
            self.line("int o2[5] = {5, 1, 4, 2, 3};");
            self.line(&format!("int *lo = o2 + (({first}) & 3), *hi = &o2[({second}) & 3];"));
            self.cell("(*lo)", 0);
            self.cell("(*hi)", 0);
            self.cell("lo[@]", 1);
        }
        if self.has(Theme::Floats) {
            let (first, second) = (self.expression(1), self.expression(1));
            self.line(&format!("double dd = ({first}) / 4.0;"));
            self.line(&format!("float ff = ({second});"));
            self.floats.extend(["dd".to_owned(), "ff".to_owned()]);
        }
        if self.has(Theme::Statics) {
            let kind = self.random.pick(TYPE_NAMES);
            self.line(&format!("static {kind} st = 3;"));
            self.cell("st", 0);
        }
        if self.has(Theme::Callbacks) {
            let id = self.id;
            let condition = self.condition(1);
            self.line(&format!("fn z = {condition} ? k{id} : l{id};"));
            self.line(&format!("struct ops o = {{2, h{id}}};"));
            self.callees.extend(["o.f(".to_owned(), "z(".to_owned()]);
        }
        if self.has(Theme::Heap) {
            let value = self.expression(1);
            self.line("struct in *hp = malloc(2 * sizeof *hp);");
            let test = self.mark("hp");
            self.line(&format!("if (!{test}) return 1;"));
            self.line(&format!("hp[0].a = {value}; hp[0].b = 1; hp[1] = hp[0];"));
            self.cell("hp->a", 0);
            self.cell("hp[@].b", 1);
        }
        for input in inputs {
            for (cell, mask) in input.cells() {
                self.cell(cell, mask);
            }
        }
    }
}

/// A marked negation as the negation of a mark.
fn negation_outside(marked: &str) -> String {
    format!("!{}", marked.replacen('!', "", 1))
}
