//! Contracts in the source: a part of ACSL (Baudin and others, *ACSL: ANSI/ISO C Specification Language*) in comments
//! `/*@ … */` and `//@ …` in front of functions, and assertions between statements.
//!
//! Clauses become those of glassbox.toml, at the places where they stand. What is not known here is named by a warning,
//! because whoever wrote it believes that it is looked at.

mod arithmetic;
mod scan;
mod term;

use crate::{Behavior, Clause, ClauseKind, Config, Contract, Declared, Expression};
use scan::{Comment, Follows, comments};
use term::{argument, conjuncts, listed, place_end, translate};

/// A file of the program.
#[derive(Debug)]
pub struct Source {
    pub path: String,
    pub text: String,
}

/// What the annotations of a program say.
#[derive(Debug, Default)]
pub struct Annotations {
    pub contracts: Vec<Contract>,
    pub assertions: Vec<Assertion>,
    /// What is not looked at, each with its place.
    pub warnings: Vec<String>,
}

/// An assertion between two statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assertion {
    pub place: Declared,
    /// The expression in C.
    pub text: String,
    /// As people read it.
    pub shown: String,
    /// Where the comment begins in its file.
    pub start: usize,
    /// The line on which the comment begins.
    pub line: u32,
}

/// Clauses that say something about runs that we do not look at.
const OTHERS: &[&str] = &[
    "terminates",
    "decreases",
    "allocates",
    "frees",
    "exits",
    "breaks",
    "continues",
    "returns",
    "loop",
    "ghost",
    "logic",
    "predicate",
    "axiomatic",
    "lemma",
    "axiom",
    "type",
    "global",
    "invariant",
    "variant",
    "admit",
    "inductive",
    "model",
    "slice",
    "impact",
    "calls",
    "volatile",
    "for",
    "import",
];

const CLAUSES: &[&str] = &[
    "requires", "ensures", "assigns", "behavior", "assumes", "complete", "disjoint", "assert",
    "check",
];

/// Reads the annotations of files.
pub fn annotations(sources: &[Source]) -> Annotations {
    let mut found = Annotations::default();
    for source in sources.iter().filter(|source| source.text.contains("@")) {
        for comment in comments(&source.text) {
            File { source, found: &mut found }.comment(&comment);
        }
    }
    found
}

/// Adds what the program says itself to what a file of contracts says.
pub fn merge(config: Option<Config>, contracts: Vec<Contract>) -> Option<Config> {
    if contracts.is_empty() {
        return config;
    }
    let mut config = config.unwrap_or_else(Config::nothing);
    for contract in contracts {
        let known = config.contracts.iter_mut().find(|known| known.function == contract.function);
        let Some(known) = known else {
            config.contracts.push(contract);
            continue;
        };
        let n_behaviors = known.behaviors.len();
        known.behaviors.extend(contract.behaviors);
        let (lengths, others): (Vec<Clause>, Vec<Clause>) = contract
            .clauses
            .into_iter()
            .map(|clause| Clause { behavior: clause.behavior.map(|it| it + n_behaviors), ..clause })
            .partition(|clause| matches!(clause.kind, ClauseKind::Length { .. }));
        known.clauses.splice(0..0, lengths);
        known.clauses.extend(others);
    }
    Some(config)
}

/// One file that is read.
struct File<'a> {
    source: &'a Source,
    found: &'a mut Annotations,
}

/// A clause as it is written: its keyword, what follows, and where that stands.
struct Written<'t> {
    keyword: &'t str,
    text: &'t str,
    at: usize,
}

impl File<'_> {
    fn place(&self, at: usize) -> Declared {
        let (line, column) = crate::complaint::place(&self.source.text, at);
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Declared { path: self.source.path.clone(), line: number(line), column: number(column) }
    }

    fn warn(&mut self, at: usize, what: &str) {
        let Declared { path, line, column } = self.place(at);
        self.found.warnings.push(format!("{path}:{line}:{column}: warning: {what}\n"));
    }

    fn comment(&mut self, comment: &Comment) {
        let text = &without_margin(&self.source.text[comment.inside.clone()]);
        // Other tools mark things by words between such signs.
        if text.trim_end().ends_with('@') && !text.contains(';') {
            return;
        }
        let clauses = clauses(text, comment.inside.start);
        let Some(first) = clauses.first() else { return };
        let is_known = CLAUSES.contains(&first.keyword) || OTHERS.contains(&first.keyword);
        if !is_known {
            if text.contains(';') {
                let what =
                    format!("`{}` is no clause of a contract that is known here", first.keyword);
                self.warn(first.at, &what);
            }
            return;
        }
        match &comment.follows {
            Follows::Function(name) => {
                let contract = self.contract(name, &clauses, comment.inside.start);
                if !contract.clauses.is_empty() {
                    self.found.contracts.push(contract);
                }
            }
            Follows::Statement { is_between } => self.statements(&clauses, comment, *is_between),
            Follows::Something => {
                for clause in &clauses {
                    let what =
                        format!("`{}` is not looked at: no function follows", clause.keyword);
                    self.warn(clause.at, &what);
                }
            }
        }
    }

    /// Annotations in a body.
    fn statements(&mut self, clauses: &[Written<'_>], comment: &Comment, is_between: bool) {
        for clause in clauses {
            let is_assertion = matches!(clause.keyword, "assert" | "check");
            if !is_assertion {
                self.warn(
                    clause.at,
                    &format!("`{}` in a function is not looked at", clause.keyword),
                );
                continue;
            }
            if !is_between {
                self.warn(
                    clause.at,
                    "the assertion is not looked at: it does not stand between two statements, at the end of a line",
                );
                continue;
            }
            match translate(clause.text) {
                Ok(text) if crate::expression::olds(&text).is_empty() => {
                    let assertion = Assertion {
                        place: self.place(clause.at),
                        text: crate::quantifier::plain(&text),
                        shown: one_line(clause.text),
                        start: comment.start,
                        line: self.place(comment.inside.start).line,
                    };
                    self.found.assertions.push(assertion);
                }
                Ok(_) => self.not_known(clause, "an old value in an assertion"),
                Err(what) => self.not_known(clause, &what),
            }
        }
    }

    fn not_known(&mut self, clause: &Written<'_>, what: &str) {
        let keyword = clause.keyword;
        self.warn(clause.at, &format!("`{keyword}` is not looked at: {what} is not known here"));
    }

    fn contract(&mut self, function: &str, clauses: &[Written<'_>], at: usize) -> Contract {
        let mut contract = Contract::empty(function, 0..0);
        contract.declared = Some(self.place(at));
        let (mut lengths, mut others) = (Vec::new(), Vec::new());
        let mut behavior: Option<usize> = None;
        let mut unknown: Vec<usize> = Vec::new();
        for clause in clauses {
            match clause.keyword {
                "behavior" => {
                    let (name, _) = clause.text.split_once(':').unwrap_or((clause.text, ""));
                    behavior = Some(contract.behaviors.len());
                    let name = name.trim().to_owned();
                    contract.behaviors.push(Behavior { name, assumes: Vec::new() });
                }
                "requires" => self.requires(
                    clause,
                    behavior.map(|it| &contract.behaviors[it]),
                    &mut lengths,
                    &mut others,
                ),
                "assumes" => match (translate(clause.text), behavior) {
                    (Ok(text), Some(behavior)) => {
                        let assumed =
                            Expression { text, offset: 0, declared: Some(self.place(clause.at)) };
                        contract.behaviors[behavior].assumes.push(assumed);
                    }
                    (Ok(_), None) => self.warn(clause.at, "`assumes` is a part of a behavior"),
                    (Err(what), _) => {
                        self.not_known(clause, &what);
                        unknown.extend(behavior);
                    }
                },
                // What it says would be said of every call.
                _ if behavior.is_some_and(|it| unknown.contains(&it)) => {
                    let what = "is not looked at: it is not known what its behavior assumes";
                    self.warn(clause.at, &format!("`{}` {what}", clause.keyword));
                }
                "ensures" if mentions_result(clause.text) => {
                    self.not_known(clause, "a variable that is called `result`");
                }
                "ensures" => match translate(clause.text) {
                    Ok(text) if crate::quantifier::mistake(&text).is_none() => {
                        let prefix = behavior.map_or(String::new(), |it| {
                            format!("behavior {}: ", contract.behaviors[it].name)
                        });
                        let shown = format!("{prefix}ensure {}", one_line(clause.text));
                        others.push(self.clause(clause, ClauseKind::Ensure(text), shown, behavior));
                    }
                    Ok(text) => {
                        let what = crate::quantifier::mistake(&text).unwrap_or("something");
                        self.warn(clause.at, &format!("`ensures` is not looked at: {what}"));
                    }
                    Err(what) => self.not_known(clause, &what),
                },
                "assigns" if behavior.is_some() => {
                    self.warn(clause.at, "`assigns` of a behavior is not looked at");
                }
                "assigns" => self.assigns(clause, &mut others),
                "complete" | "disjoint" => self.covers(clause, &contract.behaviors, &mut others),
                other => self.warn(clause.at, &format!("`{other}` is not looked at")),
            }
        }
        self.name_empty_ranges(clauses, &lengths);
        lengths.extend(others);
        contract.clauses = lengths;
        contract
    }

    /// A range that ends before it begins is valid, and calls with one are not tried.
    fn name_empty_ranges(&mut self, clauses: &[Written<'_>], lengths: &[Clause]) {
        let required = clauses.iter().filter(|clause| clause.keyword == "requires");
        let required: Vec<String> = required.flat_map(|it| conjuncts(it.text)).collect();
        for length in lengths {
            let ClauseKind::Length { count, .. } = &length.kind else { continue };
            let is_known = count.parse::<u64>().is_ok()
                || required.iter().any(|part| says_not_negative(part, count));
            if let (false, Some(Declared { path, line, column })) = (is_known, &length.declared) {
                self.found.warnings.push(format!(
                    "{path}:{line}:{column}: warning: calls with `{count}` below zero are left out: `\\valid` asks for \
                     nothing there\n"
                ));
            }
        }
    }

    fn clause(
        &self,
        clause: &Written<'_>,
        kind: ClauseKind,
        shown: String,
        behavior: Option<usize>,
    ) -> Clause {
        Clause { kind, shown, offset: 0, declared: Some(self.place(clause.at)), behavior }
    }

    fn requires(
        &mut self,
        clause: &Written<'_>,
        behavior: Option<&Behavior>,
        lengths: &mut Vec<Clause>,
        others: &mut Vec<Clause>,
    ) {
        for part in conjuncts(clause.text) {
            let valid = ["\\valid", "\\valid_read"].iter().find_map(|name| argument(&part, name));
            if let Some(places) = valid.filter(|_| behavior.is_none()) {
                for place in listed(places) {
                    match memory(&place) {
                        Ok((pointer, count)) => {
                            let shown = format!("length {pointer} = {count}");
                            let kind = ClauseKind::Length { pointer, count };
                            lengths.push(self.clause(clause, kind, shown, None));
                        }
                        Err(what) => self.not_known(clause, &what),
                    }
                }
                continue;
            }
            match translate(&part) {
                Ok(text) if crate::expression::olds(&text).is_empty() => {
                    let (text, prefix) = match behavior {
                        None => (text, String::new()),
                        Some(it) => (
                            format!("!{} || ({text})", it.condition()),
                            format!("behavior {}: ", it.name),
                        ),
                    };
                    let shown = format!("{prefix}require {}", one_line(&part));
                    others.push(self.clause(clause, ClauseKind::Require(text), shown, None));
                }
                Ok(_) => self.not_known(clause, "an old value in a requirement"),
                Err(what) => self.not_known(clause, &what),
            }
        }
    }

    fn assigns(&mut self, clause: &Written<'_>, others: &mut Vec<Clause>) {
        let mut places = Vec::new();
        if clause.text.trim() != "\\nothing" {
            for place in listed(clause.text) {
                match assigned(&place) {
                    Ok(text) => places.push(Expression {
                        text,
                        offset: 0,
                        declared: Some(self.place(clause.at)),
                    }),
                    Err(what) => return self.not_known(clause, &what),
                }
            }
        }
        // Several clauses are one: what any of them names may change.
        let earlier = others.iter_mut().find_map(|other| match &mut other.kind {
            ClauseKind::Assigns(before) => Some((before, &mut other.shown)),
            ClauseKind::Require(_)
            | ClauseKind::Ensure(_)
            | ClauseKind::Range { .. }
            | ClauseKind::Length { .. }
            | ClauseKind::Separate(_) => None,
        });
        if let Some((before, shown)) = earlier {
            before.extend(places);
            shown.push_str(", ");
            shown.push_str(&one_line(clause.text));
            return;
        }
        let shown = format!("assigns {}", one_line(clause.text));
        others.push(self.clause(clause, ClauseKind::Assigns(places), shown, None));
    }

    /// `complete behaviors;`, `disjoint behaviors a, b;`
    fn covers(&mut self, clause: &Written<'_>, behaviors: &[Behavior], others: &mut Vec<Clause>) {
        let names = clause.text.trim().strip_prefix("behaviors").unwrap_or(clause.text);
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_owned()).collect();
        let is_meant =
            |it: &&Behavior| names.iter().all(String::is_empty) || names.contains(&it.name);
        let meant: Vec<&Behavior> = behaviors.iter().filter(is_meant).collect();
        let made = if clause.keyword == "complete" { complete(&meant) } else { disjoint(&meant) };
        for (text, shown) in made {
            others.push(self.clause(clause, ClauseKind::Ensure(text), shown, None));
        }
    }
}

/// That one of the behaviors applies to every call.
pub(crate) fn complete(behaviors: &[&Behavior]) -> Vec<(String, String)> {
    let conditions: Vec<String> =
        behaviors.iter().map(|it| format!("old({})", it.condition())).collect();
    if conditions.is_empty() {
        return Vec::new();
    }
    vec![(conditions.join(" || "), "the behaviors are complete".to_owned())]
}

/// That no two behaviors apply to the same call.
pub(crate) fn disjoint(behaviors: &[&Behavior]) -> Vec<(String, String)> {
    let mut made = Vec::new();
    for (position, first) in behaviors.iter().enumerate() {
        for second in &behaviors[position + 1..] {
            let text = format!("!(old({}) && old({}))", first.condition(), second.condition());
            made.push((
                text,
                format!("the behaviors {} and {} are disjoint", first.name, second.name),
            ));
        }
    }
    made
}

/// `p`, `p + (0 .. n-1)`: a pointer and how many elements there are.
fn memory(place: &str) -> Result<(String, String), String> {
    let text = one_line(place);
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_name(text.trim()) {
        return Ok((text.trim().to_owned(), "1".to_owned()));
    }
    let (pointer, range) = text.split_once('+').ok_or_else(|| format!("`{text}` as a place"))?;
    let (pointer, range) = (pointer.trim(), range.trim());
    let inside = argument(range, "").unwrap_or(range);
    let (low, high) = inside.split_once("..").ok_or_else(|| format!("`{text}` as a place"))?;
    if !is_name(pointer) || low.trim() != "0" {
        return Err(format!("`{text}` as a place"));
    }
    let high = place_end(high.trim())?;
    let count = match (high.strip_suffix("- 1"), high.parse::<u64>()) {
        (Some(count), _) => count.trim().to_owned(),
        (None, Ok(last)) => (last + 1).to_string(),
        (None, Err(_)) => format!("({high}) + 1"),
    };
    Ok((pointer.to_owned(), count))
}

/// Whether a requirement says by itself that a number of elements is not below zero.
fn says_not_negative(part: &str, count: &str) -> bool {
    let part: String = part.chars().filter(|c| !c.is_whitespace()).collect();
    let count: String = count.chars().filter(|c| !c.is_whitespace()).collect();
    let above = part.strip_prefix(&count).and_then(|rest| rest.strip_prefix('>'));
    let number = above.map(|rest| rest.strip_prefix('=').unwrap_or(rest));
    number.is_some_and(|it| it.parse::<u64>().is_ok())
        || [format!("0<={count}"), format!("0<{count}"), format!("1<={count}")]
            .iter()
            .any(|start| part.starts_with(start.as_str()))
}

/// A place that may change, as contracts write it: `*(p + (0 .. n-1))` is `p[0..n-1]`.
fn assigned(place: &str) -> Result<String, String> {
    let text = one_line(place);
    if let Some(inner) = text.strip_prefix('*').and_then(|rest| argument(rest, ""))
        && let Some((pointer, range)) = inner.split_once('+')
    {
        let inside = argument(range.trim(), "").unwrap_or(range.trim());
        if let Some((low, high)) = inside.split_once("..") {
            let (low, high) = (place_end(low.trim())?, place_end(high.trim())?);
            return Ok(format!("{}[{low}..{high}]", pointer.trim()));
        }
    }
    if let Some((array, range)) = text.strip_suffix(']').and_then(|rest| rest.rsplit_once('['))
        && let Some((low, high)) = range.split_once("..")
    {
        if low.trim().is_empty() || high.trim().is_empty() {
            return Err(format!("`{text}` without ends"));
        }
        let (low, high) = (place_end(low.trim())?, place_end(high.trim())?);
        return Ok(format!("{}[{low}..{high}]", array.trim()));
    }
    translate(&text)
}

fn one_line(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| *word != "@");
    words.collect::<Vec<&str>>().join(" ")
}

/// A comment with a blank for every `@` that a line begins with, and for what stands behind `//` in it.
fn without_margin(text: &str) -> String {
    let mut is_margin = true;
    let text = without_remarks(text);
    let blank = |c: char| {
        let is_blank = is_margin && c == '@';
        is_margin = c == '\n' || (is_margin && c.is_whitespace());
        if is_blank { ' ' } else { c }
    };
    text.chars().map(blank).collect()
}

/// The text with blanks for what stands behind `//`, byte for byte.
fn without_remarks(text: &str) -> String {
    let (mut out, mut is_remark, mut quote) = (String::new(), false, None);
    for (at, c) in text.char_indices() {
        match (c, quote) {
            ('\n', _) => (is_remark, quote) = (false, None),
            ('"' | '\'', None) if !is_remark => quote = Some(c),
            (_, Some(open)) if c == open => quote = None,
            ('/', None) if text[at..].starts_with("//") => is_remark = true,
            _ => {}
        }
        if is_remark {
            out.push_str(&" ".repeat(c.len_utf8()));
        } else {
            out.push(c);
        }
    }
    out
}

/// The clauses of a comment that begins at `base`.
fn clauses(text: &str, base: usize) -> Vec<Written<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let skipped =
            rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '@').len();
        at += skipped;
        let rest = &text[at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if rest.is_empty() {
            break;
        }
        let keyword = &rest[..end];
        let behind = &rest[end..];
        // Behaviors end in a colon; the `;` of a quantifier is not the clause's.
        let length = if keyword == "behavior" { behind.find(':') } else { end_of_clause(behind) };
        let length = length.unwrap_or(behind.len());
        let body = &behind[..length];
        let lead = body.len() - body.trim_start().len();
        found.push(Written { keyword, text: body.trim(), at: base + at + end + lead });
        at += end + length + 1;
    }
    found
}

/// Where the `;` of a clause is: each quantifier in front of it has one of its own.
fn end_of_clause(text: &str) -> Option<usize> {
    let mut n_open = 0usize;
    for (at, c) in text.char_indices() {
        if c == '\\'
            && ["\\forall", "\\exists", "\\let"].iter().any(|word| text[at..].starts_with(word))
        {
            n_open += 1;
        } else if c == ';' {
            if n_open == 0 {
                return Some(at);
            }
            n_open -= 1;
        }
    }
    None
}

/// Whether a clause speaks of a variable `result`, which stands for what the function returns elsewhere.
fn mentions_result(text: &str) -> bool {
    let others = ["\\result", ".result", "->result"];
    let text = others.iter().fold(text.to_owned(), |text, other| text.replace(other, " "));
    crate::expression::identifiers(&text).any(|it| it == "result")
}

#[cfg(test)]
mod tests {
    use super::{Source, annotations};

    fn shown(text: &str) -> (Vec<String>, Vec<String>) {
        let sources = [Source { path: "f.c".to_owned(), text: text.to_owned() }];
        let found = annotations(&sources);
        let clauses = found.contracts.iter().flat_map(|contract| {
            contract.clauses.iter().map(|clause| {
                let place = clause.declared.as_ref().expect("it stands in the source");
                format!("{}:{}:{} {}", contract.function, place.line, place.column, clause.shown)
            })
        });
        let assertions = found.assertions.iter().map(|it| format!("assert {}", it.shown));
        (clauses.chain(assertions).collect(), found.warnings)
    }

    #[test]
    fn contracts_stand_in_front_of_functions() {
        let text = "/*@ requires \\valid(a + (0 .. n-1)) && n > 0;\n  @ assigns a[0 .. n-1];\n  @ ensures \\forall \
                    integer i; 0 <= i < n ==> a[i] == 0;\n  @*/\nstatic void clear(int *a, int n) {\n    int i = 0;\n    \
                    //@ assert i < n;\n    while (i < n) a[i++] = 0;\n}\n";
        let (clauses, warnings) = shown(text);
        assert_eq!(
            clauses,
            [
                "clear:1:14 length a = n",
                "clear:1:14 require n > 0",
                "clear:2:13 assigns a[0 .. n-1]",
                "clear:3:13 ensure \\forall integer i; 0 <= i < n ==> a[i] == 0",
                "assert i < n"
            ]
        );
        assert_eq!(warnings, Vec::<String>::new());
    }

    #[test]
    fn what_is_not_looked_at_is_named() {
        let (clauses, warnings) = shown(
            "/*@ requires \\separated(p, q); terminates \\true; */\nint f(int *p, int *q) {\n  if (*p)\n    //@ assert *p > \
             0;\n    return 1;\n  /*@ loop invariant 1; */\n  while (*q) ;\n}\n/*@ require x; */ int g(int x);\n/*@null@*/ int *h;\n",
        );
        assert_eq!(clauses, Vec::<String>::new());
        let expected = [
            "`\\separated` is not known",
            "`terminates` is not looked at",
            "between two statements",
            "`loop` in a function",
            "`require` is no clause",
        ];
        assert_eq!(warnings.len(), expected.len(), "{warnings:?}");
        for (warning, expected) in warnings.iter().zip(expected) {
            assert!(warning.contains(expected), "{warning}");
        }
    }

    #[test]
    fn behaviors_have_their_own_clauses() {
        let (clauses, warnings) = shown(
            "/*@ behavior up: assumes x > 0; ensures \\result == 1; behavior down: assumes x <= 0; requires x > -9;\n    \
             ensures \\result == 0;\n    complete behaviors; disjoint behaviors; */\nint f(int x);\n",
        );
        assert_eq!(warnings, Vec::<String>::new());
        let clauses: Vec<&str> =
            clauses.iter().filter_map(|it| it.split_once(' ')).map(|it| it.1).collect();
        assert_eq!(
            clauses,
            [
                "behavior up: ensure \\result == 1",
                "behavior down: require x > -9",
                "behavior down: ensure \\result == 0",
                "the behaviors are complete",
                "the behaviors up and down are disjoint"
            ]
        );
    }
}
