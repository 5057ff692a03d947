//! The digest of a function wherever it stands: where it is the same in two programs, the same verdicts hold.
//!
//! The digest is made of the program's text form: the function, what may run on its behalf, and everything these refer to.
//! Numbers of functions, globals and types are replaced by the order in which they are mentioned first, and lines of the
//! function's file are counted from its own. So neither code that is added elsewhere nor a function that moves as a whole
//! changes it.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

use glassbox_coverage::running::Running;
use glassbox_ir::text::print_program;
use glassbox_ir::{FuncId, GlobalKind, Program};
use glassbox_report::sha256;

/// What the text form calls what it defines by number.
const KINDS: [&str; 6] = ["fn", "global", "type", "class", "field", "method"];

/// The definitions of a program, by their names in its text form.
pub(crate) struct Contents<'a> {
    program: &'a Program,
    running: Running<'a>,
    definitions: BTreeMap<String, String>,
}

impl<'a> Contents<'a> {
    pub(crate) fn of(program: &'a Program) -> Contents<'a> {
        let text = print_program(program);
        let mut definitions: BTreeMap<String, String> = BTreeMap::new();
        let mut open: Option<String> = None;
        for line in text.lines() {
            if let Some(name) = &open {
                if let Some(definition) = definitions.get_mut(name) {
                    definition.push_str(line);
                    definition.push('\n');
                }
                if line == "}" {
                    open = None;
                }
                continue;
            }
            let Some((name, definition)) = line.split_once(" = ") else { continue };
            definitions.insert(name.to_owned(), format!("{definition}\n"));
            if line.ends_with(" {") {
                open = Some(name.to_owned());
            }
        }
        Contents { program, running: Running::of(program), definitions }
    }

    /// The digest of a function whose runs start in `entry`; `common` is what all functions depend on.
    pub(crate) fn digest(&self, function: FuncId, entry: FuncId, common: &str) -> String {
        let program = self.program;
        let span = program.function(function).span;
        let mut text = common.to_owned();
        let mut names = Names {
            program,
            file: span.file.index(),
            line: span.line,
            numbers: BTreeMap::new(),
            waiting: VecDeque::new(),
        };
        names.mention(&function.to_string(), &mut text);
        names.mention(&entry.to_string(), &mut text);
        self.define(&mut names, &mut text);
        // What is named comes in the order in which it is; the rest is what no text names.
        for id in self.running.on_behalf_of(function) {
            let name = id.to_string();
            if !names.numbers.contains_key(&name) {
                names.mention(&name, &mut text);
            }
        }
        // Inputs may be laid out around them.
        for (index, global) in program.globals.iter().enumerate() {
            match global.kind {
                GlobalKind::Variable | GlobalKind::Register(_) => {
                    names.mention(&format!("global{index}"), &mut text);
                }
                GlobalKind::StaticLocal(_)
                | GlobalKind::StringLiteral
                | GlobalKind::LibraryState
                | GlobalKind::StaticField(_)
                | GlobalKind::Runtime
                | GlobalKind::CompoundLiteral => {}
            }
        }
        self.define(&mut names, &mut text);
        text.push_str(&names.remarks());
        sha256::hex(text.as_bytes())
    }

    /// Adds the definitions of all that was mentioned, and of what they mention.
    fn define(&self, names: &mut Names<'_>, text: &mut String) {
        while let Some(name) = names.waiting.pop_front() {
            let _ = write!(text, "\n{} = ", names.numbers[&name]);
            match self.definitions.get(&name) {
                Some(definition) => names.rename(definition, text),
                None => text.push_str(&name),
            }
        }
    }
}

/// The names of one function's digest.
struct Names<'a> {
    program: &'a Program,
    file: usize,
    line: u32,
    /// By name in the text form.
    numbers: BTreeMap<String, usize>,
    /// Mentioned, and not yet defined.
    waiting: VecDeque<String>,
}

impl Names<'_> {
    fn mention(&mut self, name: &str, out: &mut String) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.waiting.push_back(name.to_owned());
        }
        let kind = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let _ = write!(out, "{kind}#{number}");
    }

    /// Copies a definition with its names and places replaced; what is quoted stays.
    fn rename(&mut self, definition: &str, out: &mut String) {
        let mut rest = definition;
        while let Some(first) = rest.chars().next() {
            let end = match first {
                '"' => end_of_quote(rest),
                '@' => end_of(rest, |letter| letter.is_ascii_digit() || "@:-+".contains(letter)),
                'a'..='z' | 'A'..='Z' | '_' | '0'..='9' => {
                    end_of(rest, |letter| letter.is_ascii_alphanumeric() || letter == '_')
                }
                other => other.len_utf8(),
            };
            let (word, behind) = rest.split_at(end);
            let kind = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
            if first == '@' {
                self.place(word, out);
            } else if kind.len() < word.len() && KINDS.contains(&kind) {
                self.mention(word, out);
            } else {
                out.push_str(word);
            }
            rest = behind;
        }
    }

    /// `@file:line:column-line:column`, lines of the function's own file as seen from it.
    fn place(&self, place: &str, out: &mut String) {
        let numbers: Vec<&str> = place.trim_start_matches('@').split([':', '-', '+']).collect();
        let file: Option<usize> = numbers.first().and_then(|number| number.parse().ok());
        let is_own = file == Some(self.file);
        out.push('@');
        for (position, number) in numbers.iter().enumerate() {
            let is_line = position == 1 || position == 3;
            match (position, number.parse::<i64>()) {
                (0, _) if is_own => out.push('.'),
                (0, _) => {
                    let path = file.and_then(|file| self.program.files.get(file));
                    out.push_str(path.map_or("?", |file| file.path.as_str()));
                }
                (_, Ok(line)) if is_line && is_own => {
                    let _ = write!(out, ":{}", line - i64::from(self.line));
                }
                _ => {
                    let _ = write!(out, ":{number}");
                }
            }
        }
    }

    /// Comments that say something to us are not in the program, and count.
    fn remarks(&self) -> String {
        let text = self.program.files.get(self.file).and_then(|file| file.text.as_deref());
        let lines = text.unwrap_or_default().lines().enumerate();
        let line = |(number, line): (usize, &str)| {
            let number = i64::try_from(number).unwrap_or_default() - i64::from(self.line);
            format!("\n{number} {line}")
        };
        lines.filter(|(_, line)| line.contains("glassbox")).map(line).collect()
    }
}

fn end_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|letter: char| !is_part(letter)).unwrap_or(text.len())
}

fn end_of_quote(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '"' if !is_escaped => return at + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}
