//! Random Java classes: static methods over numbers and arrays, with loops, calls, switches, exceptions.
//!
//! Loops count down a budget, so every method ends; divisions, indices and negative sizes may throw.

use crate::Random;

const TYPES: [&str; 4] = ["int", "long", "float", "double"];

/// The source of a class with `n_methods` static methods.
pub fn random_class(name: &str, n_methods: usize, random: &mut Random) -> String {
    let mut source = format!("public class {name} {{\n  static int counter;\n");
    for index in 0..n_methods {
        let mut writer =
            Writer { random, text: String::new(), scope: Vec::new(), n_names: 0, index };
        writer.method();
        source.push_str(&writer.text);
    }
    source.push_str("}\n");
    source
}

struct Writer<'a> {
    random: &'a mut Random,
    text: String,
    // Variables in scope: type and name.
    scope: Vec<(String, String)>,
    n_names: usize,
    index: usize,
}

impl Writer<'_> {
    fn method(&mut self) {
        let result = self.random.pick(&TYPES);
        let n_params = 1 + self.random.below(4);
        let mut params = Vec::new();
        for _ in 0..n_params {
            let ty = match self.random.below(8) {
                0 => "int[]",
                1 => "byte",
                2 => "char",
                3 => "boolean",
                4 => "short",
                _ => self.random.pick(&TYPES),
            };
            let name = self.name();
            params.push(format!("{ty} {name}"));
            self.scope.push((ty.to_owned(), name));
        }
        let index = self.index;
        self.line(0, &format!("static {result} m{index}({}) {{", params.join(", ")));
        self.line(1, "int fuel = 60;");
        // Both machines start every call from the same state.
        self.line(1, "counter = 0;");
        let is_guarded = self.random.below(4) == 0;
        if is_guarded {
            self.line(1, "try {");
        }
        let n_statements = 2 + self.random.below(5);
        let n_outer = self.scope.len();
        for _ in 0..n_statements {
            self.statement(1, 3);
        }
        let value = self.expression(result, 3);
        self.line(1, &format!("return {value};"));
        if is_guarded {
            self.scope.truncate(n_outer);
            let caught = ["RuntimeException", "ArithmeticException", "IndexOutOfBoundsException"];
            let caught = self.random.pick(&caught);
            let value = self.expression(result, 2);
            self.line(1, &format!("}} catch ({caught} e) {{ return {value}; }}"));
        }
        self.line(0, "}");
    }

    fn name(&mut self) -> String {
        self.n_names += 1;
        format!("v{}", self.n_names)
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&"  ".repeat(depth + 1));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn statement(&mut self, depth: usize, budget: usize) {
        let n_outer = self.scope.len();
        match self.random.below(if budget == 0 { 3 } else { 9 }) {
            0 | 1 => {
                let ty = if self.random.below(6) == 0 { "int[]" } else { self.random.pick(&TYPES) };
                let value = self.expression(ty, 3);
                let name = self.name();
                self.line(depth, &format!("{ty} {name} = {value};"));
                self.scope.push((ty.to_owned(), name));
                return;
            }
            2 | 3 => self.assignment(depth),
            4 => {
                let condition = self.condition(2);
                self.line(depth, &format!("if ({condition}) {{"));
                self.statement(depth + 1, budget - 1);
                self.scope.truncate(n_outer);
                if self.random.below(2) == 0 {
                    self.line(depth, "} else {");
                    self.statement(depth + 1, budget - 1);
                }
                self.line(depth, "}");
            }
            5 => {
                let condition = self.condition(2);
                self.line(depth, &format!("while (fuel-- > 0 && {condition}) {{"));
                self.statement(depth + 1, budget - 1);
                self.assignment(depth + 1);
                self.line(depth, "}");
            }
            6 => {
                let name = self.name();
                let limit = 2 + self.random.below(6);
                self.line(depth, &format!("for (int {name} = 0; {name} < {limit}; {name}++) {{"));
                self.scope.push(("int".to_owned(), name));
                self.line(depth + 1, "if (fuel-- < 0) break;");
                self.statement(depth + 1, budget - 1);
                self.line(depth, "}");
            }
            7 => self.switch(depth, budget),
            _ => {
                self.line(depth, "try {");
                self.statement(depth + 1, budget - 1);
                self.scope.truncate(n_outer);
                let caught = self.name();
                self.line(depth, &format!("}} catch (ArithmeticException {caught}) {{"));
                self.statement(depth + 1, budget - 1);
                self.scope.truncate(n_outer);
                if self.random.below(3) == 0 {
                    self.line(depth, "} finally {");
                    self.line(depth + 1, "counter++;");
                    self.assignment(depth + 1);
                }
                self.line(depth, "}");
            }
        }
        self.scope.truncate(n_outer);
    }

    fn switch(&mut self, depth: usize, budget: usize) {
        let value = self.expression("int", 2);
        self.line(depth, &format!("switch ({value}) {{"));
        let n_cases = 1 + self.random.below(4);
        let is_dense = self.random.below(2) == 0;
        for case in 0..n_cases {
            let label = if is_dense { case as i64 } else { case as i64 * 1000 - 1000 };
            self.line(depth, &format!("case {label}: {{"));
            let n_outer = self.scope.len();
            self.statement(depth + 1, budget - 1);
            self.scope.truncate(n_outer);
            self.line(depth, "}");
            if self.random.below(3) > 0 {
                self.line(depth + 1, "break;");
            }
        }
        self.line(depth, "default: counter += 2;");
        self.line(depth, "}");
    }

    fn assignment(&mut self, depth: usize) {
        let candidates: Vec<(String, String)> =
            self.scope.iter().filter(|(ty, _)| ty != "boolean").cloned().collect();
        if candidates.is_empty() {
            self.line(depth, "counter++;");
            return;
        }
        let (ty, name) = self.random.pick(&candidates);
        if ty == "int[]" {
            let (index, value) = (self.expression("int", 1), self.expression("int", 2));
            let op = self.random.pick(&["=", "+=", "^=", "/=", ">>>="]);
            self.line(depth, &format!("{name}[{index}] {op} {value};"));
            return;
        }
        let value = self.expression(&ty, 3);
        let is_float = ty == "float" || ty == "double";
        let ops: &[&str] = if is_float {
            &["=", "+=", "*=", "-="]
        } else {
            &["=", "+=", "-=", "*=", "%=", "<<=", "|="]
        };
        let op = self.random.pick(ops);
        if op == "<<=" {
            let amount = self.expression("int", 1);
            self.line(depth, &format!("{name} <<= {amount};"));
        } else {
            self.line(depth, &format!("{name} {op} {value};"));
        }
    }

    fn variable(&mut self, ty: &str) -> Option<String> {
        let fitting: Vec<String> =
            self.scope.iter().filter(|(t, _)| t == ty).map(|(_, name)| name.clone()).collect();
        if fitting.is_empty() { None } else { Some(self.random.pick(&fitting)) }
    }

    fn condition(&mut self, budget: usize) -> String {
        if budget > 0 && self.random.below(4) == 0 {
            let (a, b) = (self.condition(budget - 1), self.condition(budget - 1));
            return match self.random.below(3) {
                0 => format!("({a} && {b})"),
                1 => format!("({a} || {b})"),
                _ => format!("!({a})"),
            };
        }
        if let Some(name) = self.variable("boolean")
            && self.random.below(4) == 0
        {
            return name;
        }
        let ty = self.random.pick(&TYPES);
        let (a, b) = (self.expression(ty, 2), self.expression(ty, 2));
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        format!("({a} {op} {b})")
    }

    fn expression(&mut self, ty: &str, budget: usize) -> String {
        match ty {
            "int[]" => self.array(budget),
            "float" | "double" => self.float(ty, budget),
            "boolean" => self.condition(1),
            "byte" | "short" | "char" => {
                let inner = self.expression("int", budget.min(2));
                format!("({ty}) ({inner})")
            }
            _ => self.integer(ty, budget),
        }
    }

    fn array(&mut self, budget: usize) -> String {
        if let Some(name) = self.variable("int[]")
            && self.random.below(3) > 0
        {
            return name;
        }
        if self.random.below(2) == 0 {
            let size = self.expression("int", budget.min(1));
            return format!("new int[({size}) % 12]");
        }
        let (a, b) = (self.expression("int", 1), self.expression("int", 1));
        format!("new int[] {{{a}, {b}, 3}}")
    }

    fn literal(&mut self, ty: &str) -> String {
        let small = self.random.below(20) as i64 - 8;
        let large = self.random.integer(32) as i32;
        let value = if self.random.below(4) == 0 { i64::from(large) } else { small };
        match ty {
            "long" => format!("({value}L)"),
            "float" => format!("({value}.25f)"),
            "double" => format!("({value}.5)"),
            _ => format!("({value})"),
        }
    }

    fn integer(&mut self, ty: &str, budget: usize) -> String {
        if budget == 0 || self.random.below(4) == 0 {
            return match self.variable(ty) {
                Some(name) if self.random.below(4) > 0 => name,
                _ => self.literal(ty),
            };
        }
        let b = budget - 1;
        match self.random.below(12) {
            0..=4 => {
                let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.expression(ty, b), self.expression(ty, b))
            }
            5 => {
                let op = self.random.pick(&["/", "%"]);
                format!("({} {op} {})", self.expression(ty, b), self.expression(ty, b))
            }
            6 => {
                let op = self.random.pick(&["<<", ">>", ">>>"]);
                format!("({} {op} {})", self.expression(ty, b), self.expression("int", b))
            }
            7 => format!("(-{})", self.expression(ty, b)),
            8 => {
                let from = self.random.pick(&["int", "long", "float", "double", "char", "byte"]);
                format!("(({ty}) ({}))", self.expression(from, b))
            }
            9 => {
                let condition = self.condition(1);
                format!("({condition} ? {} : {})", self.expression(ty, b), self.expression(ty, b))
            }
            10 => match self.variable("int[]") {
                Some(name) if self.random.below(2) == 0 => format!("({ty}) {name}.length"),
                Some(name) => format!("{name}[{} & 3]", self.expression("int", b)),
                None => self.literal(ty),
            },
            _ if self.index > 0 && self.random.below(3) == 0 && ty == "int" => {
                format!("({} + counter)", self.expression(ty, b))
            }
            _ => format!("(~{})", self.expression(ty, b)),
        }
    }

    fn float(&mut self, ty: &str, budget: usize) -> String {
        if budget == 0 || self.random.below(4) == 0 {
            return match self.variable(ty) {
                Some(name) if self.random.below(4) > 0 => name,
                _ => self.literal(ty),
            };
        }
        let b = budget - 1;
        match self.random.below(8) {
            0..=4 => {
                let op = self.random.pick(&["+", "-", "*", "/", "%"]);
                format!("({} {op} {})", self.expression(ty, b), self.expression(ty, b))
            }
            5 => {
                let from = self.random.pick(&["int", "long", "float", "double"]);
                format!("(({ty}) ({}))", self.expression(from, b))
            }
            6 => {
                let condition = self.condition(1);
                format!("({condition} ? {} : {})", self.expression(ty, b), self.expression(ty, b))
            }
            _ => format!("(-{})", self.expression(ty, b)),
        }
    }
}
