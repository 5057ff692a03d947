//! Random functions of two bytes full of decisions: conditions that are joined, loops, structures, arrays and pointers.

use std::fmt::Write as _;

use crate::Random;

/// The text of a function `int f(signed char a, unsigned char b)`.
pub fn function(seed: u64) -> String {
    let text = "int f(signed char a, unsigned char b)\n{\nint v = a, w = 1, t[2] = {0, 5}, *p = &w;\nstruct { int x, y; } s = {1, 2};\n".to_owned();
    let mut maker = Maker { random: Random::new(seed), text, n_loops: 0 };
    for _ in 0..3 {
        maker.statement(2);
    }
    let decision = maker.decision();
    let _ = writeln!(maker.text, "if ({decision}) return v;\nreturn w;\n}}");
    maker.text
}

struct Maker {
    random: Random,
    text: String,
    n_loops: u32,
}

impl Maker {
    fn atom(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("{}", i128::from(self.random.below(260)) - 130),
            _ => self
                .random
                .pick(&["a", "b", "v", "w", "3", "-7", "s.x", "s.y", "t[1]", "*p"])
                .to_owned(),
        }
    }

    fn expression(&mut self) -> String {
        let (left, right) = (self.atom(), self.atom());
        match self.random.below(9) {
            0 => format!("({left} * {right} & 1023)"),
            1 => format!("({left} / (({right} & 7) + 1))"),
            2 => format!("({left} & {right})"),
            3 => format!("({left} ^ {right})"),
            4 => format!("(signed char)({left} + {right})"),
            5 | 6 => format!("({left} - {right}) % 512"),
            _ => left,
        }
    }

    fn comparison(&mut self) -> String {
        let (left, right) = (self.expression(), self.atom());
        let operator = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        format!("{left} {operator} {right}")
    }

    fn decision(&mut self) -> String {
        let (first, second, third) = (self.comparison(), self.comparison(), self.comparison());
        match self.random.below(6) {
            0 => format!("{first} && {second}"),
            1 => format!("{first} || {second}"),
            2 => format!("({first} || {second}) && {third}"),
            3 => format!("!({first} && {second}) || {third}"),
            _ => first,
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(7) {
            0..=2 if depth > 0 => {
                let decision = self.decision();
                let _ = writeln!(self.text, "if ({decision}) {{");
                self.statement(depth - 1);
                self.text.push_str("} else {\n");
                self.statement(depth - 1);
                self.text.push_str("}\n");
            }
            3 if depth > 0 => {
                self.n_loops += 1;
                let (name, mask) =
                    (format!("i{}", self.n_loops), self.random.pick(&["3", "1", "6"]));
                let (bound, decision) = (self.atom(), self.comparison());
                let _ = writeln!(
                    self.text,
                    "for (int {name} = 0; {name} < ({bound} & {mask}); {name}++) {{ if ({decision}) w += {name};"
                );
                self.statement(0);
                self.text.push_str("}\n");
            }
            4 => {
                let (target, value) = (
                    self.random.pick(&["w", "s.x", "s.y", "t[1]", "t[a & 1]", "*p"]),
                    self.expression(),
                );
                let _ = writeln!(self.text, "{target} = {value};");
            }
            _ => {
                let value = self.expression();
                let _ = writeln!(self.text, "v = {value};");
            }
        }
    }
}
