//! Statements of random C functions.

use super::super::marked;
use super::{Theme, Writer};

impl Writer<'_> {
    pub(super) fn assertion(&mut self) {
        let condition = match self.random.below(12) {
            4..12 => self.tight(2),
            0 => {
                let mask = self.random.pick(&[3, 7, 15]);
                let text = format!("(({}) & {mask}) < {}", self.expression(1), mask + 1);
                self.mark(&text)
            }
            1 => {
                let value = self.lvalue();
                let bound = self
                    .random
                    .pick(&["<= 255", ">= -128", "< 16", "!= 77", ">= 0", "< 1000", "!= 3"]);
                self.mark(&format!("{value} {bound}"))
            }
            _ => self.condition(1),
        };
        self.line(&format!("assert({condition});"));
    }

    pub(super) fn assignment(&mut self) -> String {
        let cell = self.lvalue();
        match self.random.below(8) {
            0 => format!("{cell}{};", self.random.pick(&["++", "--"])),
            1 => {
                let op = self.random.pick(&["+", "-", "^", "&", "|"]);
                format!("{cell} {op}= (({}) & 15);", self.expression(1))
            }
            _ => format!("{cell} = {};", self.expression(2)),
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
            1 => {
                let condition = self.condition(1);
                let assignment = self.assignment();
                self.line(&format!("if ({condition}) {assignment}"));
            }
            2 if self.random.one_in(3) => {
                let condition = self.condition(1);
                let result = self.random.below(9);
                self.line(&format!("if ({condition}) return {result};"));
            }
            _ => {
                let assignment = self.assignment();
                self.line(&assignment);
            }
        }
    }

    /// A statement of one of the themes; false where there is none.
    pub(super) fn themed(&mut self, depth: u32) -> bool {
        let theme = self.random.pick(&self.themes.clone());
        if matches!(theme, Theme::Loops | Theme::Jumps) && depth > 0 {
            self.block(depth);
            return true;
        }
        let templates = templates(theme);
        if templates.is_empty() {
            return self.shape(theme);
        }
        let mut text = self.random.pick(templates).replace("<id>", &self.id.to_string());
        if text.contains("<value>") {
            text = text.replacen("<value>", &self.expression(1), 1);
        }
        if text.contains("<small>") {
            text = text.replacen("<small>", &self.expression(0), 1);
        }
        if text.contains("<condition>") {
            text = text.replacen("<condition>", &self.condition(1), 1);
        }
        self.line(&text);
        true
    }

    pub(super) fn block(&mut self, depth: u32) {
        self.n_counters += 1;
        self.n_labels += 1;
        let (i, label) = (format!("i{}", self.n_counters), format!("again{}", self.n_labels));
        let turns = 1 + self.random.below(4);
        let kinds = if self.has(Theme::Jumps) {
            11
        } else if self.has(Theme::Loops) {
            7
        } else {
            4
        };
        match self.random.below(kinds) {
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
            2 => self.switch(depth),
            3 | 4 => {
                let test = self.mark(&format!("{i} < {turns}"));
                self.line(&format!("for (int {i} = 0; {test}; {i}++) {{"));
                self.values.push(i);
                self.some(depth);
                self.leave();
                self.values.pop();
                self.line("}");
            }
            5 => {
                let (condition, test) = (self.condition(1), self.mark(&format!("{i}-- > 0")));
                self.line(&format!("unsigned char {i} = {turns};"));
                self.line(&format!("while ({test} && {condition}) {{"));
                self.some(depth);
                self.leave();
                self.line("}");
            }
            6 => {
                self.line(&format!("int {i} = 0;"));
                self.line("do {");
                self.some(depth);
                let (condition, test) = (self.condition(1), self.mark(&format!("++{i} < {turns}")));
                self.line(&format!("}} while ({test} && {condition});"));
            }
            7 => {
                // A jump into a loop: it has two entries.
                self.line(&format!("int {i} = 0;"));
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) goto {label};"));
                self.some(0);
                let test = self.mark(&format!("{i} < {turns}"));
                self.line(&format!("while ({test}) {{"));
                self.some(0);
                self.line(&format!("{label}: {i}++;"));
                self.some(0);
                self.line("}");
            }
            8 => {
                let value = self.expression(1);
                let selector = self.selector(&value, 3);
                let own = self.first_probe + self.n_probes - 1;
                self.line(&format!("int {i} = 0;"));
                self.line(&format!("switch ({selector}) {{"));
                self.line(&format!("{}: do {{", marked::label(own, "case 0")));
                self.some(0);
                self.line(&format!("{}:;", marked::label(own, "case 1")));
                self.some(0);
                self.line(&format!("{}:;", marked::label(own, "case 2")));
                self.some(0);
                let test = self.mark(&format!("++{i} < {turns}"));
                self.line(&format!("}} while ({test});"));
                self.line("}");
            }
            9 => {
                self.line(&format!("int {i} = 0;"));
                self.line(&format!("{label}:;"));
                self.some(0);
                let (condition, test) = (self.condition(1), self.mark(&format!("{i}++ < {turns}")));
                self.line(&format!("if ({test} && {condition}) goto {label};"));
            }
            _ => {
                // Two labels that jump to each other.
                self.line(&format!("int {i} = 0;"));
                let condition = self.condition(1);
                self.line(&format!("if ({condition}) goto {label}b;"));
                self.line(&format!("{label}a: {i}++;"));
                self.some(0);
                self.line(&format!("{label}b:;"));
                self.some(0);
                let test = self.mark(&format!("{i}++ < {turns}"));
                self.line(&format!("if ({test}) goto {label}a;"));
            }
        }
    }

    pub(super) fn some(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth.saturating_sub(1));
        }
    }

    /// Perhaps a way out of a loop.
    pub(super) fn leave(&mut self) {
        if self.random.one_in(3) {
            let condition = self.condition(1);
            let way = self.random.pick(&["break;", "continue;", "return 5;"]);
            self.line(&format!("if ({condition}) {way}"));
            self.some(0);
        }
    }

    pub(super) fn selector(&mut self, value: &str, mask: u32) -> String {
        self.n_probes += 1;
        marked::selector(
            self.first_probe + self.n_probes - 1,
            &format!("(int)(({value}) & {mask})"),
        )
    }

    pub(super) fn switch(&mut self, depth: u32) {
        let value = self.expression(2);
        let selector = self.selector(&value, 7);
        self.line(&format!("switch ({selector}) {{"));
        let own = self.first_probe + self.n_probes - 1;
        let mut case = self.random.below(3);
        while case < 10 {
            self.line(&format!("{}:;", marked::label(own, &format!("case {case}"))));
            self.some(depth);
            if !self.random.one_in(3) {
                self.line("break;");
            }
            case += 1 + self.random.below(5);
        }
        if self.random.one_in(2) {
            self.line("default:;");
            self.some(0);
        }
        self.line("}");
    }
}

/// Statements that a theme has, with places for parts.
fn templates(theme: Theme) -> &'static [&'static str] {
    match theme {
        Theme::Structs => {
            &["e = s;", "s.r[1] = s.i;", "s.i = e.r[0];", "e.r[0] = s.r[1], e.i = s.i;", "s = e;"]
        }
        Theme::Unions => &[
            "e.u = s.u;",
            "s.u.i[1] = s.i;",
            "s.r[0] = s.u.i[0];",
            "e.u.w = s.u.h[1];",
            "s.u.c = -1;",
        ],
        Theme::Bits => &[
            "e.f = s.f;",
            "s.f.x++;",
            "s.f.y = <value>;",
            "s.f.w = <value>;",
            "s.f.z += 3;",
            "e.f.x = s.f.y = <value>;",
        ],
        Theme::Bytes => &[
            "u++[0] = <value>; u--;",
            "u[1] = <value>;",
            "memmove(&j, u, 2);",
            "*(u + 2) ^= <value>;",
        ],
        Theme::Copies => &[
            "memcpy(&s.r[0], &s.r[1], 2);",
            "memset(&s.r, <value>, 3);",
            "memset(d, <value>, sizeof d);",
            "memmove(d + 1, d, 2 * sizeof *d);",
            "memmove(d, d + 1, 3 * sizeof *d);",
            "memcpy(&e, &s, sizeof e);",
            "memcpy(&e.u, &s.r, 4);",
            "memcpy(&s.i, d, 2);",
            "memcpy(&d[2], &s.s, sizeof d[2] < 2 ? 1 : 2);",
            "memset(&s.u, <value>, (<small>) & 3);",
            "memcpy((unsigned char *)&e + ((<small>) & 7), &s.r[1], 2);",
            "memcpy(&s.r[(<small>) & 1], (char *)&e + 2, 1);",
        ],
        Theme::Callbacks => &[
            "if (<condition>) z = k<id>; else z = h<id>;",
            "o.f = <condition> ? l<id> : z;",
            "z = pick<id>(<value>);",
            "z = table<id>[(<value>) & 3];",
            "o.f = pick<id>(<value>), z = o.f;",
            "{ struct ops t1 = o; t1.f = z; o = t1; }",
        ],
        Theme::Recursion => &["x = r<id>((<value>) & 7, y);"],
        Theme::Writers => &[
            "{ int t1 = <value>; y = w<id>(&t1, (unsigned char *)&t1, <small>); x = t1; }",
            "{ int t1 = <value>; unsigned char t2[2] = {1, 2}; x = w<id>(&t1, t2, x); y = t2[1] + t2[0]; }",
            "{ int t1[2] = {<value>, 3}; w<id>(t1 + 1, (unsigned char *)t1 + 3, y); x = t1[0]; y = t1[1]; }",
            "{ struct in t1 = {1, <value>}; t1 = make<id>(<small>, t1); x = t1.a; y = t1.b; }",
        ],
        Theme::Floats => &[
            "dd = ff * 0.5;",
            "ff = dd;",
            "dd += <value>;",
            "ff = ff / (<value>);",
            "dd = dd - ff;",
            "dd = -dd;",
            "ff = (float)(<value>) * 1e20f;",
        ],
        Theme::Order => &[
            "lo = hi;",
            "if (<condition>) lo = o2 + 2; else hi = o2 + 1;",
            "hi = o2 + ((<value>) & 3);",
            "*lo = <value>;",
            "lo = o2;",
        ],
        Theme::Heap => &[
            "hp[1] = hp[0];",
            "hp->b = <value>;",
            "memcpy(hp, &hp[1], 2);",
            "{ struct in *h2 = hp + ((<value>) & 1); h2->a++; }",
        ],
        Theme::Nodes => &[
            "m->next = n;",
            "n->next = m;",
            "m->i = n->i;",
            "if (<condition>) n->next = 0;",
            "{ struct node l = {{1, 2}, <value>, m}; l.next->v = 1; n->v = l.v; }",
        ],
        Theme::Aliases
        | Theme::Loops
        | Theme::Jumps
        | Theme::Statics
        | Theme::Globals
        | Theme::Long
        | Theme::Contents
        | Theme::Calls
        | Theme::Texts
        | Theme::Lists
        | Theme::Many
        | Theme::Tables
        | Theme::Indirect => &[],
    }
}
