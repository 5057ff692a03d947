//! Statements of random Java methods.

use super::super::marked;
use super::{Theme, Writer};

impl Writer<'_> {
    pub(super) fn assertion(&mut self) {
        let condition = match self.random.below(3) {
            0 => {
                let mask = self.random.pick(&[3, 7, 15]);
                format!("(({}) & {mask}) < {}", self.expression(1), mask + 1)
            }
            1 => {
                let value = self.value();
                let bound =
                    self.random.pick(&["<= 255", ">= -128", "< 16", "!= 77", ">= 0", "!= 3"]);
                format!("{value} {bound}")
            }
            _ => self.condition(1),
        };
        self.line(&format!("assert {condition}"));
        // Its line is a goal of its own.
        self.n_probes += 1;
        let number = self.first_probe + self.n_probes - 1;
        let call = marked::label(number, &format!("bad({number})"));
        self.line(&format!("  : {call};"));
    }

    pub(super) fn assignment(&mut self) -> String {
        let (name, ty) = self.random.pick(&self.cells.clone());
        match self.random.below(6) {
            0 => format!("{name}{};", self.random.pick(&["++", "--"])),
            1 => {
                let op = self.random.pick(&["+", "-", "*", "^", "<<", ">>>"]);
                format!("{name} {op}= {};", self.expression(1))
            }
            _ => format!("{name} = ({ty}) ({});", self.expression(2)),
        }
    }

    pub(super) fn statement(&mut self, depth: u32) {
        if depth > 0 && self.random.one_in(3) {
            return self.block(depth);
        }
        if self.random.one_in(3) && self.themed(depth) {
            return;
        }
        match self.random.below(6) {
            0 => self.assertion(),
            1 | 2 => {
                let condition = self.condition(1);
                let assignment = self.assignment();
                self.line(&format!("if ({condition}) {{"));
                self.noticed(&assignment);
                if self.random.one_in(2) {
                    self.line("} else {");
                    let assignment = self.assignment();
                    self.noticed(&assignment);
                }
                self.line("}");
            }
            _ => {
                let assignment = self.assignment();
                self.noticed(&assignment);
            }
        }
    }

    pub(super) fn themed(&mut self, depth: u32) -> bool {
        let theme = self.random.pick(&self.themes.clone());
        let (value, name, id) = (self.expression(1), self.name(), self.id.to_string());
        if theme == Theme::Exceptions && depth > 0 {
            self.guarded(depth);
            return true;
        }
        if theme == Theme::Loops && depth > 0 {
            self.block(depth);
            return true;
        }
        let templates = templates(theme);
        if templates.is_empty() {
            return false;
        }
        let (x, y) = (self.type_of("x"), self.type_of("y"));
        let constant = self.constant();
        // Places of the template first: values have the same letters.
        let template = self.random.pick(templates).replace("(X)", &format!("({x})"));
        let template = template.replace("(Y)", &format!("({y})")).replace('#', &id);
        let template = template.replace('N', &name).replace("V0", "\u{0}");
        let text = template.replace('V', &value).replace('\u{0}', &constant);
        self.noticed(&text);
        true
    }

    pub(super) fn type_of(&self, name: &str) -> &'static str {
        self.cells.iter().find(|cell| cell.0 == name).map_or("int", |cell| cell.1)
    }

    pub(super) fn guarded(&mut self, depth: u32) {
        self.line("try {");
        self.some(depth - 1);
        let value = self.value();
        let constant = self.random.below(4);
        self.noticed(&self.random_throw(&value, constant));
        let caught = self.random.pick(&[
            "ArithmeticException",
            "RuntimeException",
            "IllegalStateException",
            "IndexOutOfBoundsException",
        ]);
        let name = self.name();
        self.line(&format!("}} catch ({caught} {name}) {{"));
        self.some(0);
        if self.random.one_in(2) {
            self.line("} finally {");
            self.some(0);
        }
        self.line("}");
    }

    pub(super) fn random_throw(&self, value: &str, constant: u32) -> String {
        match constant {
            0 => format!("if (({value} & 3) == 1) throw new IllegalStateException(\"s\");"),
            1 => format!("x = (byte) (7 / ({value} & 3));")
                .replace("x = (byte)", &format!("x = ({})", self.type_of("x"))),
            2 => format!("if ({value} > 5) throw new IndexOutOfBoundsException();"),
            _ => format!("x = ({}) new int[2][(int) {value} & 3].length;", self.type_of("x")),
        }
    }

    pub(super) fn some(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth.saturating_sub(1));
        }
    }

    pub(super) fn block(&mut self, depth: u32) {
        let name = self.name();
        let turns = 1 + self.random.below(4);
        match self.random.below(if self.has(Theme::Loops) { 7 } else { 4 }) {
            0 | 1 => {
                let condition = self.condition(2);
                self.line(&format!("if ({condition}) {{"));
                self.some(depth);
                if self.random.one_in(2) {
                    self.line("} else {");
                    self.some(depth);
                }
                self.line("}");
            }
            2 => {
                let value = self.expression(1);
                self.line(&format!("switch ((int) (({value}) & 7)) {{"));
                let mut case = self.random.below(3);
                while case < 10 {
                    self.line(&format!("case {case}:"));
                    self.line("{");
                    self.some(depth);
                    self.line("}");
                    if !self.random.one_in(3) {
                        self.line("break;");
                    }
                    case += 1 + self.random.below(5);
                }
                self.line("default:");
                self.line("{");
                self.some(0);
                self.line("}");
                self.line("}");
            }
            3 | 4 => {
                self.line(&format!("for (int {name} = 0; {name} < {turns}; {name}++) {{"));
                self.values.push(name);
                self.some(depth);
                self.values.pop();
                if self.random.one_in(3) {
                    let condition = self.condition(1);
                    let way = self.random.pick(&["break;", "continue;"]);
                    self.line(&format!("if ({condition}) {{"));
                    // Compilers jump to where a jump leads: only what is before it is noticed.
                    let assignment = self.assignment();
                    self.noticed(&assignment);
                    self.line(way);
                    self.line("}");
                }
                self.line("}");
            }
            5 => {
                let condition = self.condition(1);
                self.line(&format!("int {name} = {turns};"));
                self.line(&format!("while ({name}-- > 0 && {condition}) {{"));
                self.some(depth);
                self.line("}");
            }
            _ => {
                let condition = self.condition(1);
                self.line(&format!("byte {name} = 0;"));
                self.line("do {");
                self.some(depth);
                self.line(&format!("}} while (++{name} < {turns} && {condition});"));
            }
        }
    }
}

/// Statements that a theme has, with places for parts: `N` is a new name, `V` a value, `#` the method's number, `(X)` and
/// `(Y)` the types of the variables.
fn templates(theme: Theme) -> &'static [&'static str] {
    match theme {
        Theme::Arrays => &[
            "int[] N = {1, (int) (V), 3}; x = (X) N[(int) (V) & 3];",
            "int[] N = new int[(int) ((V) & 3)]; N[0] = 4; x = (X) N.length;",
            "byte[] N = {1, 2, 3}; byte[] Nb = N; Nb[1] = (byte) (V); x = (X) N[1];",
            "int[] N = {4, 5}; int[] Nc = N.clone(); Nc[0]++; x = (X) (N[0] + Nc[0]);",
            "int[][] N = new int[2][]; N[0] = new int[] {(int) (V)}; x = (X) N[(int) (V) & 1][0];",
            "Object[] N = new String[1]; if (((V) & 1) == 0) N[0] = 3; x = (X) N.length;",
            "long[] N = {1, 2, 3, 4}; System.arraycopy(N, 0, N, 1, 2); x = (X) N[(int) (V) & 3];",
            "char[] N = (\"\" + (V)).toCharArray(); x = (X) N[N.length - 1];",
        ],
        Theme::Strings => &[
            "String N = \"\" + (V); x = (X) N.length(); y = (Y) N.charAt(0);",
            "StringBuilder N = new StringBuilder(); N.append(V).append('c'); x = (X) N.length();",
            "switch (\"s\" + ((V) & 3)) { case \"s1\": x = (X) 5; break; case \"s3\": x = (X) 6; }",
        ],
        Theme::Boxes => &[
            "Integer N = (int) (V); Integer Nb = N; Nb++; x = (X) (N == Nb ? 1 : 2);",
            "Long N = (V) > 3 ? null : Long.valueOf(V); x = (X) (long) N;",
            "Object N = (((V) & 1) == 0) ? (Object) 1 : (Object) 1L; x = (X) (N instanceof Long ? 3 : 4);",
            "Object N = true ? 1 : 2.0; x = (X) (N instanceof Integer ? 3 : 4);",
        ],
        Theme::Classes => &[
            "Base N = pick((int) (V)); x = (X) (N.f + N.size(2));",
            "Base N = pick((int) (V)); y = (Y) ((Sub) N).f;",
            "Shape N = ((V) & 1) == 0 ? new Leaf() : v -> v + 2; x = (X) N.twice(3);",
            "Base N = pick((int) (V)), Nb = N; Nb.f += 2; x = (X) N.own();",
        ],
        Theme::Initializers => &[
            "J#.touch();",
            "I# N = null; x = (X) I#.K;",
            "x = (X) I#.v; y = (Y) c#;",
            "J#[] N = new J#[2]; y = (Y) c#;",
            "Object N = new J#(); y = (Y) c#;",
        ],
        Theme::Lambdas => &[
            "java.util.function.IntUnaryOperator N = v -> v * 2 + (int) (V0); x = (X) N.applyAsInt(3);",
            "java.util.function.IntBinaryOperator N = ((V) & 1) == 0 ? (p, q) -> p + q : Math::max; x = (X) N.applyAsInt(3, 4);",
            "java.util.function.Supplier<String> N = () -> \"ab\"; x = (X) (N.get() == \"ab\" ? 1 : 0);",
        ],
        Theme::Floats => &[
            "d = d * e;",
            "e = (float) d;",
            "d += V;",
            "d = Math.floor(d);",
            "e = e / (V);",
            "d = -d;",
            "d = 0.0 / d;",
            "e = 1e-40f * e;",
        ],
        // More turns than paths follow.
        Theme::Long => &[
            "int N = 0; for (int i = 0; i < (x & 63); i++) { N += i & 3; if (N == 20) break; } y = (Y) N;",
            "byte N = (byte) (V); int Nc = 0; while (N != 0 && Nc < 300) { N += 3; Nc++; } x = (X) Nc;",
            "char N = (char) (V); do { N -= 1000; } while (N > 1000); y = (Y) N;",
            "int[] N = new int[20]; for (int i = 0; i < 20; i++) N[i] = i ^ (int) (V); x = (X) N[(int) (V) & 15];",
            "int N = (int) (V) & 255, Nb = 60; while (Nb != 0) { int t = N % Nb; N = Nb; Nb = t; } x = (X) N;",
            "long N = V; int Nc = 0; while (N != 0) { Nc += N & 1; N >>>= 1; } y = (Y) Nc;",
            "int N = 0; outer: for (int i = 0; i < 9; i++) for (int j = i; j < 9; j++) { if ((i * j & 7) == 5) continue outer; if (i + j > 14) break outer; N++; } x = (X) N;",
            "StringBuilder N = new StringBuilder(); for (int i = 0; i < ((V) & 7); i++) N.append(i % 3); y = (Y) N.length();",
            "try { for (int i = 3; ; i--) x = (X) (12 / i); } catch (ArithmeticException N) { y = (Y) 4; }",
            "int N = 1; try { N = 2; if (((V) & 1) == 0) throw new RuntimeException(); N = 3; } catch (RuntimeException Nb) { N += 10; } finally { N *= 2; } x = (X) N;",
            "short[] N = {5, (short) (V), 9, 1}; for (int i = 0; i < 3; i++) for (int j = 0; j < 3 - i; j++) if (N[j] > N[j + 1]) { short t = N[j]; N[j] = N[j + 1]; N[j + 1] = t; } x = (X) N[2];",
        ],
        Theme::Modern => &[
            "Object N = ((V) & 1) == 0 ? (Object) \"ab\" : (Object) 5; if (N instanceof String Nb && Nb.length() > 1) x = (X) Nb.length(); else y = (Y) 3;",
            "x = (X) switch ((int) (V) & 3) { case 0 -> 5; case 1, 2 -> { int N = 4; yield N * 2; } default -> -1; };",
            "java.util.List<Integer> N = new java.util.ArrayList<>(); for (int i = 0; i < ((V) & 3); i++) N.add(i); y = (Y) N.size();",
            "var N = new int[] {3, (int) (V), 5}; for (int i : N) { if (i == 4) continue; x += i; } y = (Y) N.length;",
            "record N(int p, byte q) { N { if (p < 0) p = 0; } int sum() { return p + q; } } x = (X) new N((int) (V), (byte) 3).sum();",
        ],
        Theme::Narrow
        | Theme::Exceptions
        | Theme::Statics
        | Theme::Loops
        | Theme::Clocks
        | Theme::Enums
        | Theme::Divisions => &[],
    }
}
