//! Expressions and conditions of random C functions.

use super::super::marked::{self, Bound};
use super::{TYPE_NAMES, Theme, Writer};

impl Writer<'_> {
    pub(super) fn index(&mut self, mask: u32) -> String {
        match self.random.below(4) {
            0 => self.random.below(mask + 1).to_string(),
            1 => format!("{} & {mask}", self.value()),
            2 if self.is_risky => {
                let value = self.value();
                marked::index(mask + 1, &value)
            }
            _ => format!("({}) & {mask}", self.expression(0)),
        }
    }

    pub(super) fn value(&mut self) -> String {
        if self.values.is_empty() { "7".to_owned() } else { self.random.pick(&self.values.clone()) }
    }

    pub(super) fn lvalue(&mut self) -> String {
        if self.cells.is_empty() {
            return self.value();
        }
        let cell = self.random.pick(&self.cells.clone());
        // Only indices of declared arrays may be wrong.
        let is_risky = std::mem::replace(&mut self.is_risky, false);
        let is_array = ["d[", "s.", "e."].iter().any(|start| cell.text.starts_with(start));
        if is_array {
            self.is_risky = is_risky;
        }
        let text =
            if cell.mask > 0 { cell.text.replace('@', &self.index(cell.mask)) } else { cell.text };
        self.is_risky = is_risky;
        text
    }

    pub(super) fn constant(&mut self) -> String {
        match self.random.below(8) {
            0..5 => self.random.below(10).to_string(),
            5 => format!("-{}", 1 + self.random.below(4)),
            6 => self
                .random
                .pick(&[
                    "127", "128", "255", "256", "-128", "100", "0x7fff", "65535", "3u", "1ll",
                    "'a'",
                ])
                .to_owned(),
            _ => self
                .random
                .pick(&["BLUE", "sizeof(int)", "0x7fffffff", "-1u", "15", "16", "31"])
                .to_owned(),
        }
    }

    /// An expression of integer type.
    pub(super) fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => self.constant(),
                1 | 2 => self.value(),
                3 => format!("({})({})", self.random.pick(TYPE_NAMES), self.value()),
                _ => self.lvalue(),
            };
        }
        let part = |writer: &mut Self| {
            let deeper = writer.random.below(depth + 1);
            writer.expression(deeper.min(depth - 1))
        };
        match self.random.below(22) {
            0..3 => {
                let mask = self.random.pick(&[1, 3, 7, 15, 6, 12]);
                format!("(({}) & {mask})", part(self))
            }
            3 | 4 => {
                let (left, right) = (part(self), part(self));
                self.operation(&left, &["+", "-"], &right)
            }
            5 => format!("({} {} {})", part(self), self.random.pick(&["&", "|", "^"]), part(self)),
            6 => {
                let (left, right) = (part(self), part(self));
                if self.is_risky {
                    self.operation(&left, &["*"], &right)
                } else {
                    format!("((({left}) & 15) * (({right}) & 7))")
                }
            }
            7 => {
                let (left, right) = (part(self), part(self));
                let right = if self.is_risky { right } else { format!("((({right}) & 3) + 1)") };
                self.operation(&left, &["/", "%"], &right)
            }
            8 => {
                let (left, right) = (part(self), part(self));
                if self.is_risky {
                    self.operation(&left, &["<<", ">>"], &right)
                } else if self.random.one_in(2) {
                    format!("((({left}) & 31) << (({right}) & 7))")
                } else {
                    format!("({left} >> (({right}) & 7))")
                }
            }
            9 => format!("({} {} {})", part(self), self.comparison(), part(self)),
            10 | 11 => format!("({})({})", self.random.pick(TYPE_NAMES), part(self)),
            12 => {
                let operand = part(self);
                let op = self.random.pick(&["~", "-", "!"]);
                marked::opaque(&format!("{op}({})", marked::opaque(&operand)))
            }
            13 => {
                let condition = self.condition(0);
                format!("({condition} ? {} : {})", part(self), part(self))
            }
            14..17 if !self.callees.is_empty() => self.call(),
            17 if !self.floats.is_empty() => {
                let float = self.float(1);
                let (low, high) =
                    (self.mark(&format!("{float} > -100")), self.mark(&format!("{float} < 100")));
                format!("({low} && {high} ? (int)({float}) : 77)")
            }
            18 if self.has_cell("(*lo)") => self
                .random
                .pick(&["(hi - lo)", "(lo - o2)", "(int)(hi - o2)", "((char *)hi - (char *)lo)"])
                .to_owned(),
            _ => part(self),
        }
    }

    /// An operation that may be undefined.
    pub(super) fn operation(&mut self, left: &str, ops: &[&str], right: &str) -> String {
        let op = self.random.pick(ops);
        let (left, right) = (marked::opaque(left), marked::opaque(right));
        format!("({})", marked::opaque(&format!("{left} {op} {right}")))
    }

    pub(super) fn call(&mut self) -> String {
        let callee = self.random.pick(&self.callees.clone());
        if callee.contains("a & ") && self.cells.is_empty() {
            return self.value();
        }
        let index = self.index_of_table();
        let argument = self.expression(0);
        let callee = callee.replace('@', &index);
        format!("{callee} {argument})")
    }

    pub(super) fn index_of_table(&mut self) -> String {
        format!("{} & 3", self.value())
    }

    pub(super) fn comparison(&mut self) -> &'static str {
        self.random.pick(&["==", "!=", "<", "<=", ">", ">="])
    }

    pub(super) fn float(&mut self, depth: u32) -> String {
        let leaf = self.random.pick(&self.floats.clone());
        if depth == 0 {
            return leaf;
        }
        match self.random.below(6) {
            0 => format!(
                "({leaf} {} {})",
                self.random.pick(&["+", "-", "*", "/"]),
                self.float(depth - 1)
            ),
            1 => format!("({leaf} / {})", self.value()),
            2 => format!("(float)({leaf})"),
            3 => format!("({leaf} * 0.1f)"),
            _ => leaf,
        }
    }

    /// One condition, marked.
    pub(super) fn atom(&mut self, depth: u32) -> String {
        let text = match self.random.below(18) {
            14..18 => return self.tight(depth),
            0..4 => {
                let mask = self.random.pick(&[1_i32, 3, 7, 15]);
                let bound = self.random.range(-1, mask + 1);
                format!("(({}) & {mask}) {} {bound}", self.expression(depth), self.comparison())
            }
            4..7 => {
                let constant = self.constant();
                format!("{} {} {constant}", self.expression(depth), self.comparison())
            }
            7 | 8 => {
                let left = self.lvalue();
                format!("{left} {} {}", self.comparison(), self.expression(depth))
            }
            9 if self.has_cell("(*lo)") => {
                let (left, right) = (
                    self.random.pick(&["lo", "hi", "lo"]),
                    self.random.pick(&["hi", "o2 + 2", "&o2[3]", "lo"]),
                );
                format!("{left} {} {right}", self.comparison())
            }
            9 if self.has_cell("p->a") => {
                format!("p {} q", self.random.pick(&["==", "!="]))
            }
            10 if !self.floats.is_empty() => {
                let (left, right) = (self.float(1), self.float(1));
                let right =
                    self.random.pick(&[right, "1.5".to_owned(), "0".to_owned(), left.clone()]);
                format!("{left} {} {right}", self.comparison())
            }
            11 => self.lvalue(),
            12 if self.has(Theme::Copies) && self.has_cell("s.i.a") => {
                format!("memcmp(&s.r[0], &e.r[1], 2) {} 0", self.comparison())
            }
            _ => format!("{} {} {}", self.expression(depth), self.comparison(), self.expression(0)),
        };
        self.mark(&text)
    }

    /// A condition about the least or the greatest value that an expression has: often always or nearly always the same.
    pub(super) fn tight(&mut self, depth: u32) -> String {
        let expression = self.expression(depth);
        self.tight_about(&expression)
    }

    /// The same of this expression.
    pub(super) fn tight_about(&mut self, expression: &str) -> String {
        self.n_probes += 1;
        let probe = self.first_probe + self.n_probes - 1;
        let which = self.random.pick(&[
            Bound::AtMost,
            Bound::AtLeast,
            Bound::Less,
            Bound::More,
            Bound::NotLeast,
            Bound::NotGreatest,
        ]);
        let text =
            format!("{} {}", marked::observed(probe, expression), marked::bound(probe, which));
        self.mark(&text)
    }

    /// A condition with operators between its parts.
    pub(super) fn condition(&mut self, depth: u32) -> String {
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            4 => format!("({} && {})", self.atom(0), self.condition(depth - 1)),
            5 => format!("({} || {})", self.atom(0), self.condition(depth - 1)),
            6 => format!("!({})", self.condition(depth - 1)),
            _ => self.atom(depth),
        }
    }
}
