//! Random programs that allocate, link, free and forget: a list of statements beside the text, for a reference that
//! follows who points where.

use std::fmt::Write as _;

use crate::Random;

/// What the text does, without its memory: `v0` to `v2` are pointers, `x` is the input.
#[derive(Debug, Clone)]
pub enum Statement {
    /// On a line of its own, which names the block.
    Allocate(usize, u32),
    Copy(usize, usize),
    Forget(usize),
    Link(usize, usize),
    Free(usize),
    Keep(usize),
    /// To a function that is not defined.
    Give(usize),
    Branch(u32, Box<Statement>, Box<Statement>),
    Return(usize),
}

/// The text of a function `struct node *f(unsigned x)`, and what it does.
pub fn program(seed: u64) -> (String, Vec<Statement>) {
    let head = "struct node { struct node *next; };\nextern void *malloc(unsigned long);\n\
                extern void free(void *);\nextern void hand_over(const struct node *);\n\
                static struct node *kept;\n\
                struct node *f(unsigned x)\n{\nstruct node *v0 = 0, *v1 = 0, *v2 = 0;\nkept = 0;\n";
    let mut maker = Maker { random: Random::new(seed), text: head.to_owned(), line: 9 };
    let statements: Vec<Statement> = (0..9).map(|_| maker.statement(2)).collect();
    maker.put("return 0;\n}");
    (maker.text, statements)
}

struct Maker {
    random: Random,
    text: String,
    line: u32,
}

impl Maker {
    fn put(&mut self, text: &str) {
        self.line += 1;
        let _ = writeln!(self.text, "{text}");
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let (to, from) = (self.random.below(3), self.random.below(3));
        match self.random.below(if depth > 0 { 13 } else { 10 }) {
            0..=2 => {
                self.put(&format!("v{to} = malloc(sizeof *v{to});"));
                let made = Statement::Allocate(to, self.line);
                self.put(&format!("v{to}->next = 0;"));
                made
            }
            3 => {
                self.put(&format!("v{to} = v{from};"));
                Statement::Copy(to, from)
            }
            4 => {
                self.put(&format!("v{to} = 0;"));
                Statement::Forget(to)
            }
            5 => {
                self.put(&format!("if (v{to}) v{to}->next = v{from};"));
                Statement::Link(to, from)
            }
            6 | 7 => {
                self.put(&format!("free(v{to});"));
                Statement::Free(to)
            }
            8 => {
                self.put(&format!("kept = v{to};"));
                Statement::Keep(to)
            }
            9 => {
                self.put(&format!("hand_over(v{to});"));
                Statement::Give(to)
            }
            10 | 11 => {
                let bit = u32::try_from(self.random.below(3)).expect("small");
                self.put(&format!("if (x & {}) {{", 1 << bit));
                let yes = self.statement(depth - 1);
                self.put("} else {");
                let no = self.statement(depth - 1);
                self.put("}");
                Statement::Branch(bit, Box::new(yes), Box::new(no))
            }
            _ => {
                self.put(&format!("return v{to};"));
                Statement::Return(to)
            }
        }
    }
}
