//! Arithmetic of ACSL, which is that of mathematical integers, as C: operands are made wide enough that nothing wraps around.
//!
//! What is computed from 32 bits has 64, and from 64 bits 128. Where that is not enough, as for products of many factors,
//! the sum overflows a signed type, which verdicts name like any other error in a condition. Floating numbers and pointers stay what they are.

use super::term::Term;

/// By how tight they bind, loosest first.
const OPERATORS: [&[&str]; 6] =
    [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

/// Longer ones would come from many brackets inside of each other.
const MOST_TEXT: usize = 4000;

impl Term<'_> {
    /// Both sides of a comparison, or a term alone, compared or computed as mathematical integers.
    pub(super) fn sides(terms: &[Term<'_>]) -> Result<Vec<String>, String> {
        let is_wide = terms.iter().any(Term::is_computed)
            || terms.len() > 1 && !terms.iter().any(Term::fits_every_type);
        let text = |term: &Term<'_>| if is_wide { term.wide() } else { term.simple() };
        let texts = terms.iter().map(text).collect::<Result<Vec<String>, String>>()?;
        if texts.iter().any(|text| text.len() > MOST_TEXT) {
            return Err("a term with so many brackets".to_owned());
        }
        Ok(texts)
    }

    /// Whether it has an operator that may give what its operands' type does not hold, a sign included.
    pub(super) fn is_computed(&self) -> bool {
        self.operator().is_some() || matches!(self.first(), Some("-" | "~")) || {
            // Brackets around all of it.
            self.in_brackets().is_some_and(|inner| inner.is_computed())
        }
    }

    /// Null and numbers from zero on mean the same in every type that they are compared with.
    fn fits_every_type(&self) -> bool {
        let [only] = self.tokens else { return false };
        let is_short = only.len() < 10 && only.bytes().all(|byte| byte.is_ascii_digit());
        is_short
            || only.starts_with('\'')
            || matches!(only.as_str(), "\\null" | "\\true" | "\\false")
    }

    fn first(&self) -> Option<&str> {
        self.tokens.first().map(String::as_str)
    }

    /// What stands in brackets, where that is all.
    fn in_brackets(&self) -> Option<Term<'_>> {
        let last = self.tokens.len().checked_sub(1)?;
        let is_all = self.first() == Some("(") && self.closing(0).ok() == Some(last);
        let inner = Term { tokens: self.tokens.get(1..last)? };
        (is_all && inner.is_plain()).then_some(inner)
    }

    /// No predicates, lists or choices.
    fn is_plain(&self) -> bool {
        let others =
            ["?", "<==>", "==>", "||", "^^", "&&", ",", "<=", ">=", "==", "!=", "<", ">", ";"];
        let is_word = self.first().is_some_and(|it| it.starts_with('\\') && it != "\\result");
        !self.tokens.is_empty()
            && others.iter().all(|symbol| self.find(symbol).is_none())
            && (!is_word || matches!(self.first(), Some("\\old" | "\\at")))
            && self.first() != Some("!")
    }

    /// The last of the loosest operators between two operands.
    fn operator(&self) -> Option<usize> {
        let mut depth = 0usize;
        let mut found: Option<(usize, usize)> = None;
        let mut is_behind_operand = false;
        for (at, token) in self.tokens.iter().enumerate() {
            match token.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                symbol if depth == 0 && is_behind_operand => {
                    let level = OPERATORS.iter().position(|level| level.contains(&symbol));
                    if let Some(level) = level
                        && found.is_none_or(|(least, _)| level <= least)
                        && !self.is_cast_before(at)
                    {
                        found = Some((level, at));
                    }
                }
                _ => {}
            }
            is_behind_operand = !OPERATORS.iter().any(|level| level.contains(&token.as_str()))
                && !matches!(token.as_str(), "~" | "!" | "(" | "[" | "{" | ",");
        }
        found.map(|(_, at)| at)
    }

    /// `(long) -x`: what stands in front of the sign is a type.
    fn is_cast_before(&self, at: usize) -> bool {
        const WORDS: &[&str] = &[
            "int", "unsigned", "signed", "long", "short", "char", "size_t", "float", "double",
            "integer", "real", "_Bool", "struct", "union", "enum", "const",
        ];
        let mut depth = 0usize;
        for (open, token) in self.tokens[..at].iter().enumerate().rev() {
            match token.as_str() {
                ")" => depth += 1,
                "(" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        let is_word = |it: &&String| WORDS.contains(&it.as_str());
                        return self.tokens.get(open + 1).is_some_and(|it| is_word(&it));
                    }
                }
                _ if depth == 0 => return false,
                _ => {}
            }
        }
        false
    }

    fn wide(&self) -> Result<String, String> {
        if let Some(at) = self.operator() {
            let (left, right) =
                (Term { tokens: &self.tokens[..at] }, Term { tokens: &self.tokens[at + 1..] });
            return Ok(format!("{} {} {}", left.wide()?, self.tokens[at], right.wide()?));
        }
        if let Some(sign @ ("-" | "~" | "+")) = self.first() {
            return Ok(format!("{sign}{}", Term { tokens: &self.tokens[1..] }.wide()?));
        }
        if let Some(inner) = self.in_brackets() {
            return Ok(format!("({})", inner.wide()?));
        }
        if let [only] = self.tokens {
            if only.starts_with(|c: char| c.is_ascii_digit()) {
                let is_float = !only.starts_with("0x") && only.contains(['.', 'e', 'E']);
                let has_suffix = only.ends_with(['u', 'U', 'l', 'L']);
                return Ok(match (is_float, has_suffix) {
                    (true, _) => only.clone(),
                    (false, false) => format!("{only}ll"),
                    (false, true) => wrapped(only),
                });
            }
            if matches!(only.as_str(), "\\null" | "\\true" | "\\false") || only.starts_with('\'') {
                return self.simple();
            }
        }
        // The value is kept as it was, in its wide form.
        let is_old = matches!(self.first(), Some("\\old" | "\\at"));
        if is_old && self.closing(1).ok() == self.tokens.len().checked_sub(1) {
            self.simple()?;
            let inner = Term { tokens: &self.tokens[2..self.tokens.len() - 1] };
            if let Some(value) = inner.split(",").first().filter(|value| value.is_plain()) {
                return Ok(format!("old({})", value.wide()?));
            }
        }
        Ok(wrapped(&self.simple()?))
    }

    /// A subscript, which may be no wider than a pointer.
    pub(super) fn subscript(&self) -> Result<String, String> {
        if self.is_computed() { Ok(format!("(long)({})", self.wide()?)) } else { self.translate() }
    }
}

pub(super) fn wrapped(text: &str) -> String {
    let (long, wide) = (format!("(long long)({text})"), format!("(__int128)({text})"));
    format!(
        "_Generic(({text}), int: {long}, unsigned: {long}, long: {wide}, unsigned long: {wide}, \
         long long: {wide}, unsigned long long: {wide}, default: ({text}))"
    )
}
