//! Random Java methods whose inputs can be tried one by one.
//!
//! They are about what proofs get wrong: narrow types, overflow, NaN, which objects are the same, boxes from the cache,
//! when classes are initialized, what subclasses do, exceptions and how they are caught, what the clock says.

mod batch;
mod expressions;
mod statements;

pub(super) use batch::java_batch;

use std::fmt::Write as _;

use super::marked;
use crate::Random;

/// What every file begins with, after the line that opens the class.
const TYPES: &str = "  interface Shape { int size(int v); default int twice(int v) { return size(v) + size(v + 1); } }
  static class Base implements Shape { int f = 3; static int n() { return 1; } public int size(int v) { return v & 7; } int own() { return f; } }
  static class Sub extends Base { int f = 5; static int n() { return 2; } @Override public int size(int v) { return super.size(v) + 1; } }
  static final class Leaf extends Sub { @Override int own() { return f + 10; } @Override public int twice(int v) { return v; } }
  enum Color { RED, GREEN { @Override int weight() { return 7; } }, BLUE; int weight() { return ordinal(); } }
  static int over(byte v) { return 1; }
  static int over(int v) { return 2; }
  static int over(long v) { return 3; }
  static int over(Object v) { return 4; }
  static Base pick(int v) { return (v & 3) == 0 ? new Base() : (v & 3) == 1 ? new Sub() : new Leaf(); }
";

/// A method, with marks in its text.
struct Written {
    text: String,
    n_probes: usize,
    /// Types of the parameters.
    params: Vec<&'static str>,
    /// Whether a class is initialized by it, so that every run needs fresh classes.
    needs_fresh_classes: bool,
    /// What puts static variables back to their first values.
    reset: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Theme {
    Narrow,
    Floats,
    Strings,
    Boxes,
    Classes,
    Initializers,
    Arrays,
    Exceptions,
    Statics,
    Loops,
    Clocks,
    Lambdas,
    Enums,
    Divisions,
    Long,
    Modern,
}

const THEMES: &[Theme] = &[
    Theme::Narrow,
    Theme::Floats,
    Theme::Strings,
    Theme::Boxes,
    Theme::Classes,
    Theme::Initializers,
    Theme::Arrays,
    Theme::Exceptions,
    Theme::Statics,
    Theme::Loops,
    Theme::Clocks,
    Theme::Lambdas,
    Theme::Enums,
    Theme::Divisions,
    Theme::Long,
    Theme::Modern,
];

const TYPE_NAMES: &[&str] = &["byte", "short", "char", "int", "long"];

struct Writer<'r> {
    random: &'r mut Random,
    id: usize,
    text: String,
    first_probe: usize,
    n_probes: usize,
    themes: Vec<Theme>,
    /// Integer variables that may be written, with their types.
    cells: Vec<(String, &'static str)>,
    /// Values that are only read.
    values: Vec<String>,
    booleans: Vec<String>,
    floats: Vec<String>,
    n_names: usize,
    reset: String,
}

/// Method number `id`, whose probes have numbers from `first_probe` on.
fn method(random: &mut Random, id: usize, first_probe: usize) -> Written {
    let themes: Vec<Theme> = (0..3 + random.below(2)).map(|_| random.pick(THEMES)).collect();
    let mut writer = Writer {
        random,
        id,
        text: String::new(),
        first_probe,
        n_probes: 0,
        themes,
        cells: Vec::new(),
        values: Vec::new(),
        booleans: Vec::new(),
        floats: Vec::new(),
        n_names: 0,
        reset: String::new(),
    };
    let params = writer.method();
    let needs_fresh_classes = writer.has(Theme::Initializers);
    let Writer { text, n_probes, reset, .. } = writer;
    Written { text, n_probes, params, needs_fresh_classes, reset }
}

impl Writer<'_> {
    fn has(&self, theme: Theme) -> bool {
        self.themes.contains(&theme)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "    {text}");
    }

    fn hit(&mut self) -> String {
        self.n_probes += 1;
        marked::hit(self.first_probe + self.n_probes - 1)
    }

    /// A statement that is noticed.
    fn noticed(&mut self, text: &str) {
        let hit = self.hit();
        self.line(&format!("{hit}{text}"));
    }

    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("v{}", self.n_names)
    }

    fn method(&mut self) -> Vec<&'static str> {
        let id = self.id;
        let mut params = Vec::new();
        let mut declared = Vec::new();
        let n_params = 1 + self.random.below(2);
        for name in ["a", "b"].into_iter().take(n_params) {
            let ty = self.random.pick(&["byte", "byte", "boolean", "short", "char"]);
            if ty == "boolean" {
                self.booleans.push(name.to_owned());
            } else {
                self.values.push(name.to_owned());
            }
            params.push(ty);
            declared.push(format!("{ty} {name}"));
        }
        if self.has(Theme::Statics) {
            let ty = self.random.pick(TYPE_NAMES);
            let _ = writeln!(self.text, "  static {ty} s{id} = 3;");
            let _ = write!(self.reset, "s{id} = 3; ");
            self.cells.push((format!("s{id}"), ty));
        }
        if self.has(Theme::Initializers) {
            let _ = writeln!(
                self.text,
                "  static int c{id} = 1;\n  static class I{id} {{ static final int K = 4; static int v = 2; static {{ c{id} += 3; v = c{id} * 2; }} static int get() {{ return v++; }} }}\n  \
                 static class J{id} extends I{id} {{ static Integer w = 8; static {{ c{id}++; }} static void touch() {{ c{id} += 10; }} }}"
            );
        }
        let _ = writeln!(self.text, "  static int m{id}({}) {{", declared.join(", "));
        for name in ["x", "y"] {
            let ty = self.random.pick(TYPE_NAMES);
            let value = self.expression(1);
            self.line(&format!("{ty} {name} = ({ty}) ({value});"));
            self.cells.push((name.to_owned(), ty));
        }
        if self.has(Theme::Floats) {
            let (first, second) = (self.expression(1), self.expression(1));
            self.line(&format!("double d = ({first}) / 4.0; float e = ({second});"));
            self.floats.extend(["d".to_owned(), "e".to_owned()]);
        }
        if self.has(Theme::Initializers) {
            self.cells.push((format!("c{id}"), "int"));
        }
        for _ in 0..3 + self.random.below(4) {
            self.statement(2);
        }
        self.assertion();
        let value = self.expression(1);
        self.noticed(&format!("return (int) ({value});"));
        self.line("}");
        params
    }
}
