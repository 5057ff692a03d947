//! Random programs over bytes with assertions, assumptions and run-time errors, with calls or without.

use std::fmt::Write as _;

use crate::Random;

/// The text of a program `int f(signed char a, unsigned char b)`, and whether it reads `b`.
pub fn program(seed: u64) -> (String, bool) {
    let mut random = Random::new(seed);
    let has_two_inputs = random.draw().is_multiple_of(8);
    let text = "extern void __VERIFIER_assert(int); extern void __VERIFIER_assume(int);\n\
                int f(signed char a, unsigned char b)\n{\nint t[8] = {0}, v0 = a, v1 = 1;\n"
        .to_owned();
    let mut maker = Maker { random, text, has_two_inputs, fuel: "" };
    for _ in 0..5 {
        maker.statement(2);
    }
    let condition = maker.condition();
    let _ = writeln!(maker.text, "__VERIFIER_assert({condition});\nreturn v0;\n}}");
    (maker.text, has_two_inputs)
}

/// The text of a program `int f(signed char a)` with three functions that call each other and themselves.
pub fn program_with_calls(seed: u64) -> String {
    let text = "extern void __VERIFIER_assert(int); extern void __VERIFIER_assume(int);\n\
                static int g;\n\
                static int h0(int a, int b, int *t); static int h1(int a, int b, int *t);\n\
                static int h2(int a, int b, int *t);\n"
        .to_owned();
    let random = Random::new(seed);
    let mut maker = Maker { random, text, has_two_inputs: true, fuel: "b - 1" };
    for function in 0..3 {
        let _ = writeln!(maker.text, "static int h{function}(int a, int b, int *t)\n{{");
        maker.text.push_str("int v0 = a, v1 = 1;\n");
        if maker.random.below(2) == 0 {
            maker.statement(0);
        }
        let value = maker.expression(1);
        let _ = writeln!(maker.text, "if (b <= 0) return {value} & 63;");
        maker.statement(1);
        maker.statement(1);
        maker.text.push_str("return v0;\n}\n");
    }
    maker.has_two_inputs = false;
    maker.fuel = "a & 3";
    maker.text.push_str("int f(signed char a)\n{\nint t[8] = {0}, v0 = a, v1 = 1;\n");
    for _ in 0..3 {
        maker.statement(1);
    }
    maker.call();
    let condition = maker.condition();
    let _ = writeln!(maker.text, "__VERIFIER_assert({condition});\nreturn v0;\n}}");
    maker.text
}

struct Maker {
    random: Random,
    text: String,
    has_two_inputs: bool,
    /// What calls give as fuel for recursion; empty where nothing is called.
    fuel: &'static str,
}

impl Maker {
    fn atom(&mut self) -> String {
        if !self.fuel.is_empty() && self.random.below(6) == 0 {
            return "g".to_owned();
        }
        match self.random.below(6) {
            0 => "a".to_owned(),
            1 if self.has_two_inputs => "b".to_owned(),
            2 | 3 => format!("v{}", self.random.below(2)),
            4 => format!("{}", i128::from(self.random.below(300)) - 150),
            _ => format!("{}", i128::from(self.random.below(9)) - 4),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            let atom = self.atom();
            return format!("({atom})");
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.random.below(12) {
            0..=2 => format!("({left} + {right})"),
            3 | 4 => format!("({left} - {right})"),
            5 => format!("({left} * {right})"),
            6 => format!("({left} / {right})"),
            7 => format!("({left} % {right})"),
            8 => format!("({left} & {right})"),
            9 => format!("({left} << ({right} & 31))"),
            10 => format!("({left} * 16777216)"),
            _ => format!("t[{left}]"),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.expression(1), self.expression(1));
        let operator = self.random.pick(&["<", "<=", "==", "!=", ">"]);
        format!("{left} {operator} {right}")
    }

    /// Calls of functions that call each other, and a global that all of them see.
    fn call(&mut self) {
        let (argument, fuel, function) = (self.expression(1), self.fuel, self.random.below(3));
        let call = format!("h{function}({argument}, {fuel}, t)");
        let _ = match self.random.below(4) {
            0 => writeln!(self.text, "g = {call};"),
            1 => writeln!(self.text, "g = ({argument}) & 15;"),
            2 => writeln!(self.text, "v0 = {call};"),
            _ => writeln!(self.text, "v1 = {call} & 7;"),
        };
    }

    fn statement(&mut self, depth: usize) {
        if !self.fuel.is_empty() && self.random.below(4) == 0 {
            return self.call();
        }
        match self.random.below(8) {
            0 | 1 if depth > 0 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.statement(depth - 1);
                self.text.push_str("} else {\n");
                self.statement(depth - 1);
                self.text.push_str("}\n");
            }
            2 if depth > 0 => {
                let bound = self.atom();
                let _ = writeln!(self.text, "for (int i = 0; i < (({bound}) & 3); i++) {{");
                self.statement(0);
                self.text.push_str("}\n");
            }
            3 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "__VERIFIER_assert({condition});");
            }
            4 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "__VERIFIER_assume({condition});");
            }
            5 => {
                let (index, value) = (self.expression(1), self.expression(1));
                let _ = writeln!(self.text, "t[({index}) & 7] = {value};");
            }
            _ => {
                let target = self.random.below(2);
                let value = self.expression(2);
                let _ = writeln!(self.text, "v{target} = {value};");
            }
        }
    }
}
