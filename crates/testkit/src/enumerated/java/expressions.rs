//! Expressions and conditions of random Java methods.

use super::{TYPE_NAMES, Theme, Writer};

impl Writer<'_> {
    pub(super) fn value(&mut self) -> String {
        let mut all = self.values.clone();
        all.extend(self.cells.iter().map(|(name, _)| name.clone()));
        if all.is_empty() {
            let boolean = self.random.pick(&self.booleans.clone());
            return format!("({boolean} ? 1 : 0)");
        }
        self.random.pick(&all)
    }

    pub(super) fn constant(&mut self) -> String {
        match self.random.below(8) {
            0..5 => self.random.below(10).to_string(),
            5 => format!("(-{})", 1 + self.random.below(4)),
            6 => self
                .random
                .pick(&["127", "128", "255", "(-128)", "(-129)", "32767", "65535", "'a'"])
                .to_owned(),
            _ => self
                .random
                .pick(&[
                    "Integer.MAX_VALUE",
                    "Integer.MIN_VALUE",
                    "Long.MIN_VALUE",
                    "1L",
                    "31",
                    "33",
                ])
                .to_owned(),
        }
    }

    /// An expression of a type up to `long`.
    pub(super) fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => self.constant(),
                1 => format!("({}) {}", self.random.pick(TYPE_NAMES), self.value()),
                _ => self.value(),
            };
        }
        let part = |writer: &mut Self| {
            let deeper = writer.random.below(depth + 1);
            writer.expression(deeper.min(depth - 1))
        };
        match self.random.below(24) {
            0..3 => format!("(({}) & {})", part(self), self.random.pick(&[1, 3, 7, 15, 6])),
            3..6 => format!(
                "({} {} {})",
                part(self),
                self.random.pick(&["+", "-", "*", "+"]),
                part(self)
            ),
            6 => format!("({} {} {})", part(self), self.random.pick(&["&", "|", "^"]), part(self)),
            7 => format!(
                "({} {} {})",
                part(self),
                self.random.pick(&["<<", ">>", ">>>"]),
                part(self)
            ),
            8 if self.has(Theme::Divisions) => {
                format!("({} {} {})", part(self), self.random.pick(&["/", "%"]), part(self))
            }
            8 => format!(
                "({} {} ((({}) & 3) + 1))",
                part(self),
                self.random.pick(&["/", "%"]),
                part(self)
            ),
            9 | 10 => format!("({}) ({})", self.random.pick(TYPE_NAMES), part(self)),
            11 => format!("{}({})", self.random.pick(&["~", "-"]), part(self)),
            12 => format!("({} ? {} : {})", self.condition(0), part(self), part(self)),
            13 => {
                let (left, right) = (part(self), part(self));
                let call = self.random.pick(&[
                    "Math.abs(<l>)",
                    "Math.floorMod(<l>, 5)",
                    "Math.max(<l>, <r>)",
                    "Math.min(<l>, <r>)",
                    "Long.signum(<l>)",
                    "over(<l>)",
                    "Long.compare(<l>, <r>)",
                ]);
                call.replace("<l>", &left).replace("<r>", &right)
            }
            14 if !self.floats.is_empty() => {
                let float = self.float();
                let ty = self.random.pick(&["int", "long", "byte", "char"]);
                format!("({ty}) ({float})")
            }
            15 if self.has(Theme::Initializers) => {
                let call =
                    self.random.pick(&["I#.K", "I#.v", "I#.get()", "(int) J#.w", "J#.v", "c#"]);
                call.replace('#', &self.id.to_string())
            }
            16 if self.has(Theme::Classes) => {
                let value = part(self);
                let call = self.random.pick(&[
                    "new Sub().size((int) V)",
                    "new Leaf().twice((int) V)",
                    "((Base) new Sub()).f",
                    "new Sub().own()",
                    "new Leaf().own()",
                    "Sub.n()",
                    "new Base().twice((int) (V))",
                ]);
                call.replace('V', &format!("({value})"))
            }
            17 if self.has(Theme::Enums) => {
                let value = part(self);
                self.random
                    .pick(&[
                        "Color.values()[(int) (V & 1)].weight()",
                        "Color.values()[(int) Math.abs(V % 3)].ordinal()",
                        "Color.BLUE.compareTo(Color.values()[(int) (V & 1)])",
                    ])
                    .replace('V', &format!("({value})"))
            }
            18 if self.has(Theme::Strings) => {
                let value = part(self);
                self.random
                    .pick(&[
                        "(\"\" + (V)).length()",
                        "\"abc\".charAt((int) ((V) & 1))",
                        "Long.toString(V).hashCode()",
                        "\"xyx\".indexOf((char) ('x' + ((V) & 3)))",
                    ])
                    .replace('V', &value)
            }
            _ => part(self),
        }
    }

    pub(super) fn float(&mut self) -> String {
        let leaf = self.random.pick(&self.floats.clone());
        let other = self.random.pick(&self.floats.clone());
        match self.random.below(7) {
            0 => format!("({leaf} {} {other})", self.random.pick(&["+", "-", "*", "/", "%"])),
            1 => format!("({leaf} / {})", self.value()),
            2 => format!("Math.sqrt({leaf})"),
            3 => format!("({leaf} * 0.1f)"),
            _ => leaf,
        }
    }

    pub(super) fn comparison(&mut self) -> &'static str {
        self.random.pick(&["==", "!=", "<", "<=", ">", ">="])
    }

    pub(super) fn atom(&mut self, depth: u32) -> String {
        match self.random.below(14) {
            0..4 => {
                let mask = self.random.pick(&[1_i32, 3, 7, 15]);
                let bound = self.random.range(-1, mask + 1);
                format!("(({}) & {mask}) {} {bound}", self.expression(depth), self.comparison())
            }
            4 if !self.booleans.is_empty() => self.random.pick(&self.booleans.clone()),
            5 | 6 if !self.floats.is_empty() => {
                let (left, right) = (self.float(), self.float());
                let right =
                    self.random.pick(&[right, "1.5".to_owned(), "0".to_owned(), left.clone()]);
                match self.random.below(4) {
                    0 => format!("Double.compare({left}, {right}) {} 0", self.comparison()),
                    1 => format!("Double.isNaN({left})"),
                    _ => format!("{left} {} {right}", self.comparison()),
                }
            }
            7 | 8 if self.has(Theme::Boxes) => {
                let (left, right) = (self.expression(0), self.expression(0));
                let text = self.random.pick(&[
                    "Integer.valueOf((int) (<l>)) == Integer.valueOf((int) (<r>))",
                    "(Object) (byte) (<l>) == (Object) (byte) (<r>)",
                    "Long.valueOf(<l>).equals((Object) (int) (<r>))",
                    "Short.valueOf((short) (<l>)) == Short.valueOf((short) (<l>))",
                    "Character.valueOf((char) (<l>)) == Character.valueOf((char) (<l>))",
                    "new Integer((int) (<l>)) == Integer.valueOf((int) (<l>))",
                    "Long.valueOf(<l>) == Long.valueOf(<l>)",
                    "Integer.valueOf((int) (<l>)).equals((int) (<r>))",
                    "Boolean.valueOf((<l>) > 1) == Boolean.valueOf((<r>) < 3)",
                ]);
                text.replace("<l>", &left).replace("<r>", &right)
            }
            7 | 8 if self.has(Theme::Strings) => {
                let value = self.expression(0);
                let text = self.random.pick(&[
                    "(\"a\" + \"b\") == \"ab\"",
                    "(\"a\" + (V)).equals(\"a3\")",
                    "(\"a\" + (V)) == \"a3\"",
                    "(\"a\" + (V)).intern() == \"a3\"",
                    "new String(\"ab\") == \"ab\"",
                    "String.valueOf(V) == String.valueOf(V)",
                    "(((V) & 1) == 0 ? \"p\" : \"q\") == \"p\"",
                    "(\"k\" + (V)).startsWith(\"k-\")",
                    "\"abc\".substring((int) ((V) & 1)) == \"abc\"",
                    "(\"\" + (V)).isEmpty()",
                ]);
                text.replace('V', &value)
            }
            9 if self.has(Theme::Classes) => {
                let value = self.value();
                let test = self.random.pick(&[
                    "instanceof Sub",
                    "instanceof Leaf",
                    ".getClass() == Sub.class",
                    ".f == 3",
                    ".own() > 5",
                    ".size(6) < 8",
                ]);
                format!("pick((int) {value}) {test}")
            }
            10 if self.has(Theme::Clocks) => self
                .random
                .pick(&[
                    "System.currentTimeMillis() > 1000000000000L",
                    "System.nanoTime() - System.nanoTime() <= 0",
                    "Runtime.getRuntime().availableProcessors() > 1",
                    "Runtime.getRuntime().availableProcessors() >= 1",
                    "System.identityHashCode(\"a\") != 0",
                    "new Object().hashCode() == new Object().hashCode()",
                    "System.getProperty(\"no.such\") == null",
                    "System.getSecurityManager() == null",
                    "Thread.currentThread().isInterrupted()",
                    "(System.currentTimeMillis() & 1) == 0",
                ])
                .to_owned(),
            11 if self.has(Theme::Enums) => {
                let value = self.value();
                format!(
                    "Color.values()[(int) ({value} & 1)] == Color.{}",
                    self.random.pick(&["RED", "GREEN", "BLUE"])
                )
            }
            12 => {
                let value = self.value();
                format!("{value} {} {}", self.comparison(), self.constant())
            }
            _ => format!("{} {} {}", self.expression(depth), self.comparison(), self.expression(0)),
        }
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            4 => format!("({} && {})", self.atom(0), self.condition(depth - 1)),
            5 => format!("({} || {})", self.atom(0), self.condition(depth - 1)),
            6 => format!("!({})", self.condition(depth - 1)),
            _ => self.atom(depth),
        }
    }
}
