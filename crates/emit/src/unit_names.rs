//! Names that a translation unit has at its outermost level: what a test file gives names to must not be called
//! so.
//!
//! Read off the preprocessed text, in which the preprocessor has left the definitions of macros: tokens are
//! enough, since only names outside of functions, parameter lists and records matter.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{Function, Linkage, Origin, Program};

use crate::assembly::AssemblyLine;

/// What a unit calls by which name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnitNames {
    /// Macros, typedefs, variables, functions and enumeration constants of the user's files, and macros of
    /// the system's.
    pub taken: BTreeSet<String>,
    /// Names in declarations that say `volatile`: types as data do not have it.
    pub volatile: BTreeSet<String>,
    /// Functions whose parameters point to `restrict` pointers, which types as data do not have either.
    pub(crate) restrict: BTreeSet<String>,
    /// Names in declarations that say `inline` and neither `static` nor `extern`, and in no others.
    pub inline: BTreeSet<String>,
    /// Where the unit says `asm`.
    pub assembly: Vec<AssemblyLine>,
    /// What macros without parameters and enumeration constants stand for, at the end of the unit.
    bodies: BTreeMap<String, String>,
    /// Macros with parameters at the end of the unit: a function of the same name is meant only in parentheses.
    function_macros: BTreeSet<String>,
    /// Names in the other declarations.
    outside: BTreeSet<String>,
}

/// Macros behind macros that are looked through for a number.
const MOST_EXPANSIONS: usize = 8;

/// Longer bodies are no numbers.
const LONGEST_NUMBER: usize = 40;

impl UnitNames {
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// The number that a macro or an enumeration constant stands for.
    pub(crate) fn constant(&self, name: &str) -> Option<i128> {
        self.number(self.bodies.get(name)?, MOST_EXPANSIONS)
    }

    /// A number in parentheses, with a sign, or by the name of another macro.
    fn number(&self, text: &str, n_left: usize) -> Option<i128> {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            return self.number(inner, n_left);
        }
        if let Some(rest) = text.strip_prefix('-') {
            return self.number(rest, n_left).map(|number| -number);
        }
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let parsed = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) => i128::from_str_radix(digits, 16).ok(),
            None if digits.len() > 1 && digits.starts_with('0') => {
                i128::from_str_radix(digits, 8).ok()
            }
            None => digits.parse().ok(),
        };
        parsed.or_else(|| self.number(self.bodies.get(text)?, n_left.checked_sub(1)?))
    }

    /// A function's name as it has to be written so that no macro of the unit is meant.
    pub(crate) fn function(&self, name: &str) -> String {
        if self.function_macros.contains(name) { format!("({name})") } else { name.to_owned() }
    }

    /// `name`, or another that is free.
    pub fn free(&self, name: &str) -> String {
        let mut free = name.to_owned();
        while self.has(&free) {
            free.insert_str(0, "glassbox_");
        }
        free
    }

    /// Declarations that make definitions of functions that have none but `inline` ones (C11 6.7.4p7). Another unit may
    /// have its own.
    pub(crate) fn definitions(&self, program: &Program) -> String {
        let is_needed = |function: &&Function| {
            function.origin == Origin::User
                && function.linkage == Linkage::External
                && function.body.is_some()
                && self.inline.contains(&function.name)
        };
        let names = program.functions.iter().filter(is_needed).map(|function| &function.name);
        names
            .map(|name| format!("extern __typeof__({name}) {name} __attribute__((weak));\n"))
            .collect()
    }

    /// The names of a unit.
    pub fn of(text: &[u8]) -> UnitNames {
        let mut names = UnitNames::default();
        names.read(text);
        names
    }

    /// Adds the names of a unit.
    pub fn read(&mut self, text: &[u8]) {
        let mut reader = Reader {
            names: self,
            is_system: false,
            statement: Vec::new(),
            open: Vec::new(),
            is_restrict: false,
            constant: None,
            next_constant: None,
        };
        let mut rest = text;
        while !rest.is_empty() {
            rest = reader.token(rest);
        }
    }
}

/// What a bracket encloses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Enclosed {
    Constants,
    Parameters,
    /// Members, statements, initializers.
    Other,
}

struct Reader<'n> {
    names: &'n mut UnitNames,
    /// Whether the text is that of a system header.
    is_system: bool,
    /// Words of the declaration being read.
    statement: Vec<String>,
    open: Vec<Enclosed>,
    /// Whether the pointer of a parameter that was read last says `restrict`.
    is_restrict: bool,
    /// The enumeration constant being read, with the text of its value.
    constant: Option<(String, Option<String>)>,
    /// The value of the next one that has none of its own.
    next_constant: Option<i128>,
}

impl Reader<'_> {
    /// Reads one token; what is behind it.
    fn token<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        let length = |is_part: fn(&u8) -> bool| {
            text.iter().position(|byte| !is_part(byte)).unwrap_or(text.len())
        };
        let skip = |n: usize| text.get(n..).unwrap_or_default();
        match text[0] {
            b'#' => {
                let end = length(|byte| *byte != b'\n');
                self.directive(&String::from_utf8_lossy(&text[..end]));
                skip(end)
            }
            quote @ (b'"' | b'\'') => {
                let mut at = 1;
                while let Some(&byte) = text.get(at) {
                    if byte == quote || byte == b'\n' {
                        break;
                    }
                    at += if byte == b'\\' { 2 } else { 1 };
                }
                skip(at + 1)
            }
            byte if is_letter(&byte) => {
                let end = length(is_letter);
                let word = String::from_utf8_lossy(&text[..end]);
                self.constant(&word);
                self.word(&word);
                skip(end)
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    self.constant(&char::from(byte).to_string());
                }
                self.mark(byte);
                skip(1)
            }
        }
    }

    /// A line marker, or the definition of a macro.
    fn directive(&mut self, line: &str) {
        let mut words = line[1..].split_whitespace();
        match words.next() {
            Some("define") => {
                let word = words.next().unwrap_or_default();
                let (name, has_params) =
                    word.split_once('(').map_or((word, false), |(name, _)| (name, true));
                if has_params {
                    self.names.function_macros.insert(name.to_owned());
                }
                let body = words.collect::<Vec<_>>().join(" ");
                // A macro that stands for itself hides nothing.
                if body != name {
                    self.names.taken.insert(name.to_owned());
                }
                if body != name {
                    self.names.bodies.remove(name);
                }
                let is_short = !body.is_empty() && body.len() <= LONGEST_NUMBER;
                if !has_params && is_short && body != name {
                    self.names.bodies.insert(name.to_owned(), body);
                }
            }
            Some("undef") => {
                let name = words.next().unwrap_or_default();
                self.names.function_macros.remove(name);
                self.names.bodies.remove(name);
            }
            Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => {
                let (_, flags) = line.rsplit_once('"').unwrap_or_default();
                self.is_system = flags.split_whitespace().any(|flag| flag == "3");
            }
            Some(_) | None => {}
        }
    }

    /// Takes in a word or a mark of an enumeration at the outermost level.
    fn constant(&mut self, token: &str) {
        if self.is_system || self.open.first() != Some(&Enclosed::Constants) {
            return;
        }
        let is_inside = self.open.len() > 1;
        match (token, &mut self.constant) {
            ("," | "}", _) if !is_inside => {
                let Some((name, value)) = self.constant.take() else { return };
                let number = match value {
                    Some(text) => self.names.number(&text, MOST_EXPANSIONS),
                    None => self.next_constant,
                };
                self.next_constant = number.map(|number| number + 1);
                if let Some(number) = number {
                    self.names.bodies.insert(name, number.to_string());
                }
            }
            ("=", Some((_, value @ None))) => *value = Some(String::new()),
            (token, Some((_, Some(text)))) => text.push_str(token),
            // Attributes of a constant.
            (_, Some((_, None))) => {}
            (token, None) => self.constant = Some((token.to_owned(), None)),
        }
    }

    fn word(&mut self, word: &str) {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return;
        }
        let is_tag = self.open.is_empty()
            && self
                .statement
                .last()
                .is_some_and(|last| ["struct", "union", "enum"].contains(&&**last));
        if self.open.is_empty() {
            self.statement.push(word.to_owned());
        } else if self.open.iter().all(|enclosed| *enclosed == Enclosed::Parameters) {
            // Types of parameters say it, those of members do not concern the record.
            let is_said = word == "volatile" || self.names.volatile.contains(word);
            self.statement.extend(is_said.then(|| "volatile".to_owned()));
            self.is_restrict |= is_restrict(word);
        }
        let is_outside = self.open.iter().all(|enclosed| *enclosed == Enclosed::Constants);
        // Tags have names of their own.
        if is_outside && !is_tag && !self.is_system && !is_keyword(word) {
            self.names.taken.insert(word.to_owned());
        }
    }

    fn mark(&mut self, byte: u8) {
        // What a parameter itself is says nothing about the type of the function; elements of arrays are behind one.
        if matches!(byte, b'*' | b'[') && self.is_restrict {
            self.statement.push("restrict".to_owned());
        }
        self.is_restrict &= byte.is_ascii_whitespace();
        match byte {
            b'{' => {
                let mut last = self.statement.iter().rev().map(String::as_str);
                let is_enum = last.next() == Some("enum") || last.next() == Some("enum");
                let is_enum = is_enum && self.open.is_empty();
                self.open.push(if is_enum { Enclosed::Constants } else { Enclosed::Other });
                self.next_constant = Some(0);
                self.constant = None;
            }
            b'(' => self.open.push(Enclosed::Parameters),
            b'[' => self.open.push(Enclosed::Other),
            b'}' | b')' | b']' => {
                self.open.pop();
                // A function ends without a semicolon; what looks like it does no harm.
                if byte == b'}' && self.open.is_empty() {
                    self.end();
                }
            }
            b';' if self.open.is_empty() => self.end(),
            _ => {}
        }
    }

    fn end(&mut self) {
        let words = std::mem::take(&mut self.statement);
        let is_said = |word: &String| word == "volatile" || self.names.volatile.contains(word);
        if words.iter().any(is_said) {
            self.names.volatile.extend(words.iter().filter(|word| !is_keyword(word)).cloned());
        }
        if words.iter().skip(1).any(|word| is_restrict(word)) {
            self.names.restrict.extend(words.iter().filter(|word| !is_keyword(word)).cloned());
        }
        let says = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
        let is_inline = says(&["inline", "__inline", "__inline__"]) && !says(&["static", "extern"]);
        for word in words.iter().filter(|word| !is_keyword(word)) {
            if is_inline && !self.names.outside.contains(word) {
                self.names.inline.insert(word.clone());
            } else if !is_inline {
                self.names.inline.remove(word);
                self.names.outside.insert(word.clone());
            }
        }
    }
}

fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80
}

fn is_restrict(word: &str) -> bool {
    ["restrict", "__restrict", "__restrict__"].contains(&word)
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "char", "const", "double", "enum", "extern", "float", "inline", "int", "long", "register",
        "restrict", "short", "signed", "static", "struct", "typedef", "union", "unsigned", "void",
        "volatile",
    ];
    KEYWORDS.contains(&word) || word.starts_with("__")
}

#[cfg(test)]
mod tests {
    use super::UnitNames;

    #[test]
    fn only_names_that_a_test_file_could_meet_are_taken() {
        let text = "# 1 \"/usr/include/x.h\" 1 3\nextern int index(const char *s);\n#define CHECK(x) x\n\
                    # 4 \"a.c\" 2\n#define errno errno\n#define LIMIT 3\nenum color { RED, GREEN = 1 };\nenum { PLAIN };\n\
                    struct s { int member; } table[2] = { { 1 } };\n\
                    int f(volatile int *p, char *text)\n{ int local = ';'; return local; }\nint g(int);\n\
                    typedef volatile int reg;\nextern const reg port;\nint h(reg *r);\n\
                    int i(char *restrict a, const char *__restrict b);\nint k(char *restrict *a, int b);\n\
                    int l(char *restrict a[], int b[restrict 2]);\nint m(int b[restrict 2]);\n";
        let mut names = UnitNames::default();
        names.read(text.as_bytes());
        let taken: Vec<&str> = names.taken.iter().map(String::as_str).collect();
        assert_eq!(
            taken,
            [
                "CHECK", "GREEN", "LIMIT", "PLAIN", "RED", "f", "g", "h", "i", "k", "l", "m",
                "port", "reg", "table"
            ]
        );
        let volatile: Vec<&str> = names.volatile.iter().map(String::as_str).collect();
        assert_eq!(volatile, ["f", "h", "port", "reg"]);
        let restrict: Vec<&str> = names.restrict.iter().map(String::as_str).collect();
        assert_eq!(restrict, ["k", "l"]);
        assert_eq!(names.free("table"), "glassbox_table");
    }

    #[test]
    fn a_function_that_a_macro_hides_is_written_in_parentheses() {
        let names = UnitNames::of(b"#define f(x) x\n#define g(x) x\n#undef g\n#define h (1)\n");
        assert_eq!(["f", "g", "h"].map(|name| names.function(name)), ["(f)", "g", "h"]);
    }

    #[test]
    fn constants_have_the_numbers_that_the_unit_gives_them() {
        let text = b"# 4 \"a.c\" 2\n#define A 3\n#define B (-A)\n#define C ((B))\n#define D f(3)\n#define E 0x10u\n\
                     #define G 1\n#undef G\nenum e { H, I = 5, J, K = A, L = sizeof(int), M, N = (7), O };\n#define O O\n";
        let names = UnitNames::of(text);
        let numbers = ["A", "B", "C", "D", "E", "G", "H", "I", "J", "K", "L", "M", "N", "O"]
            .map(|name| names.constant(name));
        let expected = [3, -3, -3, 0, 16, 0, 0, 5, 6, 3, 0, 0, 7, 8];
        let is_known = |name: usize| ![3, 5, 10, 11].contains(&name);
        let expected =
            expected.iter().enumerate().map(|(name, &number)| is_known(name).then_some(number));
        assert!(numbers.into_iter().eq(expected), "{numbers:?}");
    }
}
