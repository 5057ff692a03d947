//! Predicates of ACSL as C expressions of contracts: implications, chains of comparisons, quantifiers over ranges.
//!
//! What C cannot say is named, with the construct.

/// A predicate as a C expression in the words of glassbox.toml; what is not known in it.
pub(super) fn translate(text: &str) -> Result<String, String> {
    let tokens = tokens(text)?;
    let changes = ["=", "++", "--", "+=", "-=", "*=", "/=", "<<=", ">>="];
    if let Some(sign) = tokens.iter().find(|token| changes.contains(&token.as_str())) {
        return Err(format!("`{sign}`"));
    }
    Term { tokens: &tokens }.translate()
}

/// An end of a range of places, which is a number of C.
pub(super) fn place_end(text: &str) -> Result<String, String> {
    let tokens = tokens(text)?;
    Term { tokens: &tokens }.simple()
}

/// The parts of a conjunction.
pub(super) fn conjuncts(text: &str) -> Vec<String> {
    let Ok(tokens) = tokens(text) else { return vec![text.to_owned()] };
    let whole = Term { tokens: &tokens };
    let is_weaker = ["?", "<==>", "==>", "||", "^^"].iter().any(|it| whole.find(it).is_some());
    if is_weaker {
        return vec![text.to_owned()];
    }
    match whole.split("&&").as_slice() {
        [_] => vec![text.trim().to_owned()],
        parts => parts.iter().map(|part| join(part.tokens)).collect(),
    }
}

/// What stands between the parentheses of `name(…)`, where that is all of the text.
pub(super) fn argument<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let rest = text.trim().strip_prefix(name)?.trim_start();
    let inner = rest.strip_prefix('(')?;
    let mut depth = 1usize;
    for (at, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return inner[at + 1..].trim().is_empty().then(|| &inner[..at]);
        }
    }
    None
}

/// Parts between commas outside of all brackets.
pub(super) fn listed(text: &str) -> Vec<String> {
    let Ok(tokens) = tokens(text) else { return vec![text.to_owned()] };
    let whole = Term { tokens: &tokens };
    whole.split(",").iter().map(|part| join(part.tokens)).collect()
}

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    "<==>", "<-->", "==>", "-->", "...", "<<=", ">>=", "..", "&&", "||", "^^", "<=", ">=", "==",
    "!=", "->", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=",
];

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if first == '\\' || first.is_alphabetic() || first == '_' {
            let behind = &rest[first.len_utf8()..];
            first.len_utf8() + behind.find(|c: char| !is_word(c)).unwrap_or(behind.len())
        } else if first.is_ascii_digit() {
            // `0..9` is a range, and `0.5` a number.
            let end = rest.find(|c: char| !is_word(c) && c != '.').unwrap_or(rest.len());
            rest[..end].find("..").unwrap_or(end)
        } else if first == '"' || first == '\'' {
            let inner = &rest[1..];
            let mut is_escaped = false;
            let end = inner.char_indices().find(|&(_, c)| {
                let ends = c == first && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                ends
            });
            2 + end.ok_or_else(|| "a literal that does not end".to_owned())?.0
        } else {
            let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
            symbol.map_or(first.len_utf8(), |symbol| symbol.len())
        };
        found.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

pub(super) fn join(tokens: &[String]) -> String {
    let mut out = String::new();
    let is_operand =
        |text: &str| text.ends_with(|c: char| c.is_alphanumeric() || "_)]'\"".contains(c));
    // Whether the sign that `out` ends with has only an operand behind it.
    let mut is_sign = false;
    for token in tokens {
        let is_call = token.starts_with('(') && is_operand(&out);
        let is_tight = is_call
            || is_sign
            || token.starts_with([')', '[', ']', ',', '.'])
            || token == "->"
            || out.ends_with(['(', '[', '.', '!', '~'])
            || out.ends_with("->");
        is_sign = matches!(token.as_str(), "-" | "+" | "*" | "&") && !is_operand(&out);
        if !out.is_empty() && !is_tight {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}

/// A value, with the comparison that a number has with it.
type Bound = (String, String);

#[derive(Debug, Clone, Copy)]
pub(super) struct Term<'a> {
    pub(super) tokens: &'a [String],
}

impl<'a> Term<'a> {
    /// Where a symbol stands outside of all brackets, and not in a quantifier, which goes on to the end.
    pub(super) fn find(&self, symbol: &str) -> Option<usize> {
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate() {
            match token.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "\\forall" | "\\exists" | "\\let" if depth == 0 => return None,
                token if depth == 0 && token == symbol => return Some(at),
                _ => {}
            }
        }
        None
    }

    pub(super) fn split(&self, symbol: &str) -> Vec<Term<'a>> {
        let mut parts = Vec::new();
        let mut rest = *self;
        while let Some(at) = rest.find(symbol) {
            parts.push(Term { tokens: &rest.tokens[..at] });
            rest = Term { tokens: &rest.tokens[at + 1..] };
        }
        parts.push(rest);
        parts
    }

    fn at(&self, at: usize) -> (Term<'a>, Term<'a>) {
        (Term { tokens: &self.tokens[..at] }, Term { tokens: &self.tokens[at + 1..] })
    }

    pub(super) fn translate(&self) -> Result<String, String> {
        if self.tokens.is_empty() {
            return Err("something that is missing".to_owned());
        }
        // A name of a predicate is for people.
        if let [name, colon, rest @ ..] = self.tokens
            && colon == ":"
            && name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        {
            return Term { tokens: rest }.translate();
        }
        if matches!(self.tokens[0].as_str(), "\\forall" | "\\exists") {
            return self.quantified();
        }
        if let Some(at) = self.find("?") {
            let (condition, rest) = self.at(at);
            let colon = rest.find(":").ok_or_else(|| "`?` without `:`".to_owned())?;
            let (yes, no) = rest.at(colon);
            let (yes, no) = (yes.translate()?, no.translate()?);
            return Ok(format!("(({}) ? ({yes}) : ({no}))", condition.translate()?));
        }
        if let Some(at) = self.find("<==>") {
            let (left, right) = self.at(at);
            return Ok(format!("(!({}) == !({}))", left.translate()?, right.translate()?));
        }
        if let Some(at) = self.find("==>") {
            let (left, right) = self.at(at);
            return Ok(format!("(!({}) || ({}))", left.translate()?, right.translate()?));
        }
        // `&&` binds tighter than `^^`, and that tighter than `||`.
        if self.find("||").is_some() {
            return self.joined("||");
        }
        if self.find("^^").is_some() {
            let parts =
                self.split("^^").iter().map(Term::translate).collect::<Result<Vec<_>, _>>()?;
            let parts: Vec<String> = parts.iter().map(|part| format!("!({part})")).collect();
            if let [left, right] = parts.as_slice() {
                return Ok(format!("({left} != {right})"));
            }
            return Err("`^^` of more than two".to_owned());
        }
        if self.find("&&").is_some() {
            return self.joined("&&");
        }
        if self.tokens[0] == "!" && !self.has_comparison() {
            return Ok(format!("!({})", Term { tokens: &self.tokens[1..] }.translate()?));
        }
        self.comparison()
    }

    /// Parts with a connective of C between them.
    fn joined(&self, symbol: &str) -> Result<String, String> {
        let parts =
            self.split(symbol).iter().map(Term::translate).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("({})", parts.join(&format!(" {symbol} "))))
    }

    fn has_comparison(&self) -> bool {
        COMPARISONS.iter().any(|symbol| self.find(symbol).is_some())
    }

    /// `a <= b < c` compares neighbors.
    fn comparison(&self) -> Result<String, String> {
        let (terms, symbols) = self.chain();
        let compared = |at: usize, symbol: &String| {
            let [left, right] = &Term::sides(&terms[at..at + 2])?[..] else {
                return Err("a comparison of nothing".to_owned());
            };
            Ok(format!("{left} {symbol} {right}"))
        };
        match symbols.as_slice() {
            [] => Term::sides(&terms)?.pop().ok_or_else(|| "something that is missing".to_owned()),
            [symbol] => compared(0, symbol),
            some => {
                let is_up = |it: &String| matches!(it.as_str(), "<" | "<=" | "==");
                let is_down = |it: &String| matches!(it.as_str(), ">" | ">=" | "==");
                if !some.iter().all(is_up) && !some.iter().all(is_down) {
                    return Err("comparisons in a row that go in different directions".to_owned());
                }
                let pairs = some.iter().enumerate().map(|(at, symbol)| compared(at, symbol));
                Ok(format!("({})", pairs.collect::<Result<Vec<String>, String>>()?.join(" && ")))
            }
        }
    }

    /// What is compared, and by what.
    fn chain(&self) -> (Vec<Term<'a>>, Vec<String>) {
        let (mut terms, mut symbols) = (Vec::new(), Vec::new());
        let mut rest = *self;
        loop {
            let first = COMPARISONS.iter().filter_map(|symbol| rest.find(symbol)).min();
            let Some(at) = first else { break };
            symbols.push(rest.tokens[at].clone());
            let (left, right) = rest.at(at);
            terms.push(left);
            rest = right;
        }
        terms.push(rest);
        (terms, symbols)
    }

    /// A term without predicates around it: words of ACSL become those of contracts, brackets are translated for
    /// themselves.
    pub(super) fn simple(&self) -> Result<String, String> {
        let mut out: Vec<String> = Vec::new();
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            match token.as_str() {
                "\\result" => out.push("result".to_owned()),
                "\\true" => out.push("1".to_owned()),
                "\\false" => out.push("0".to_owned()),
                "\\null" => out.push("((void *)0)".to_owned()),
                "\\old" | "\\at" => {
                    let end = self.closing(at + 1)?;
                    let inner = Term { tokens: &self.tokens[at + 2..end] };
                    let parts = inner.split(",");
                    let is_known = match token.as_str() {
                        "\\old" => parts.len() == 1,
                        _ => {
                            parts.len() == 2
                                && matches!(join(parts[1].tokens).as_str(), "Pre" | "Old")
                        }
                    };
                    if !is_known {
                        return Err(format!("`{}`", join(&self.tokens[at..=end])));
                    }
                    out.push(format!("old({})", parts[0].translate()?));
                    at = end;
                }
                "(" | "[" => {
                    let end = self.closing(at)?;
                    let inner = Term { tokens: &self.tokens[at + 1..end] };
                    if inner.find("..").is_some() {
                        return Err("a range of places".to_owned());
                    }
                    let parts = match inner.tokens {
                        [] => Vec::new(),
                        _ => inner
                            .split(",")
                            .iter()
                            .map(if token == "[" { Term::subscript } else { Term::translate })
                            .collect::<Result<Vec<_>, _>>()?,
                    };
                    out.push(format!("{token}{}{}", parts.join(", "), self.tokens[end]));
                    at = end;
                }
                "integer" | "real" | "boolean" => return Err(format!("the type `{token}`")),
                "-->" | "<-->" | ".." | "..." => return Err(format!("`{token}`")),
                word if word.starts_with('\\') => return Err(format!("`{word}`")),
                _ => out.push(token.clone()),
            }
            at += 1;
        }
        Ok(join(&out))
    }

    /// Where the bracket that opens at a token closes.
    pub(super) fn closing(&self, open: usize) -> Result<usize, String> {
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match token.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Ok(at);
                    }
                }
                _ if depth == 0 => break,
                _ => {}
            }
        }
        Err("a bracket that is missing".to_owned())
    }

    /// `\forall integer i, j; 0 <= i < j < n ==> e`
    fn quantified(&self) -> Result<String, String> {
        let is_all = self.tokens[0] == "\\forall";
        let semicolon = self.tokens.iter().position(|token| token == ";");
        let semicolon = semicolon.ok_or_else(|| "a quantifier without `;`".to_owned())?;
        let (types, names): (Vec<&String>, Vec<&String>) = self.tokens[1..semicolon]
            .iter()
            .filter(|token| *token != ",")
            .partition(|token| TYPES.contains(&token.as_str()));
        let is_known =
            types.iter().all(|token| token.as_str() != "real" && token.as_str() != "boolean");
        let is_name = |name: &&String| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if types.is_empty() || names.is_empty() || !is_known || !names.iter().all(is_name) {
            return Err(format!("`{}`", join(&self.tokens[..semicolon])));
        }
        let body = Term { tokens: &self.tokens[semicolon + 1..] };
        // What binds weaker than the range has it inside, and then it is none.
        let weaker: &[&str] =
            if is_all { &["?", "<==>"] } else { &["?", "<==>", "==>", "||", "^^"] };
        if let Some(symbol) = weaker.iter().find(|symbol| body.find(symbol).is_some()) {
            return Err(format!("a range inside of `{symbol}`"));
        }
        let (range, each) = if is_all {
            let at = body.find("==>").ok_or_else(|| "a `\\forall` without a range".to_owned())?;
            body.at(at)
        } else {
            let parts = body.split("&&");
            // All that bounds a number stands in front.
            let is_bound = |part: &Term<'_>| names.iter().any(|name| part.bounds(name).is_some());
            let n_bounds = parts.iter().take_while(|part| is_bound(part)).count();
            let n_tokens =
                parts[..n_bounds].iter().map(|part| part.tokens.len() + 1).sum::<usize>();
            let n_range = n_tokens.saturating_sub(1).min(body.tokens.len());
            let range = Term { tokens: &body.tokens[..n_range] };
            let rest = Term { tokens: body.tokens.get(n_tokens..).unwrap_or_default() };
            (range, rest)
        };
        if let Some(symbol) = ["||", "^^"].iter().find(|symbol| range.find(symbol).is_some()) {
            return Err(format!("a range with `{symbol}`"));
        }
        let parts = range.split("&&");
        let is_exact = names.len() == 1 && parts.len() == 1 && parts[0].chain().1.len() == 2;
        let mut inner = match (is_exact || range.tokens.is_empty(), each.tokens.is_empty()) {
            (true, true) => "1".to_owned(),
            (true, false) => each.translate()?,
            (false, true) => range.translate()?,
            (false, false) if is_all => {
                format!("!({}) || ({})", range.translate()?, each.translate()?)
            }
            (false, false) => format!("({}) && ({})", range.translate()?, each.translate()?),
        };
        let word = if is_all { "forall" } else { "exists" };
        for (position, name) in names.iter().enumerate().rev() {
            let later = &names[position + 1..];
            let (mut low, mut high) = (None, None);
            for (own_low, own_high) in parts.iter().filter_map(|part| part.bounds(name)) {
                let is_free = |bound: &Option<(String, String)>| {
                    bound.as_ref().is_some_and(|(text, _)| {
                        !crate::expression::identifiers(text)
                            .any(|it| later.iter().any(|name| *name == it))
                    })
                };
                if low.is_none() && is_free(&own_low) {
                    low = own_low;
                }
                if high.is_none() && is_free(&own_high) {
                    high = own_high;
                }
            }
            let (Some((low, from)), Some((high, to))) = (low, high) else {
                return Err(format!("the number `{name}`, whose range is not given"));
            };
            let low = if from == "<" { format!("({low}) + 1") } else { low };
            let high = if to == "<=" { format!("({high}) + 1") } else { high };
            inner = format!("{word}({name}, {low}, {high}, {inner})");
        }
        Ok(inner)
    }

    /// The least and the greatest value that a comparison gives a number, each with `<` or `<=`.
    fn bounds(&self, name: &str) -> Option<(Option<Bound>, Option<Bound>)> {
        let (mut terms, mut symbols) = self.chain();
        if symbols.iter().all(|it| it == ">" || it == ">=") {
            terms.reverse();
            symbols.reverse();
            for symbol in &mut symbols {
                *symbol = symbol.replace('>', "<");
            }
        }
        let is_range = |it: &String| it == "<" || it == "<=";
        if symbols.is_empty() || !symbols.iter().all(is_range) {
            return None;
        }
        let is_it = |term: &Term<'_>| matches!(term.tokens, [only] if only == name);
        let at = terms.iter().position(is_it)?;
        let text = |at: usize| Term::sides(&terms[at..=at]).ok()?.pop();
        // What lies further away bounds it as well, and strictly where one step is strict.
        let strict = |steps: &[String]| {
            let is_strict = steps.iter().any(|step| step == "<");
            if is_strict { "<".to_owned() } else { "<=".to_owned() }
        };
        let low = at.checked_sub(1).and_then(|low| Some((text(low)?, strict(&symbols[low..at]))));
        let last = terms.len() - 1;
        let high = (at < last).then(|| {
            // The next name may be bound further inside: the last one holds in any case.
            let high = if last > at + 1 { last } else { at + 1 };
            Some((text(high)?, strict(&symbols[at..high])))
        });
        Some((low, high.flatten()))
    }
}

const COMPARISONS: &[&str] = &["<=", ">=", "==", "!=", "<", ">"];

/// What stands in front of names of numbers.
const TYPES: &[&str] =
    &["integer", "int", "unsigned", "long", "short", "char", "signed", "size_t", "real", "boolean"];

#[cfg(test)]
mod tests {
    use super::super::arithmetic::wrapped;
    use super::{argument, conjuncts, translate};

    /// With `z(x)` for what makes an integer of `x` wide.
    fn c(text: &str) -> String {
        let mut text = translate(text).unwrap_or_else(|why| format!("not known: {why}"));
        while let Some(at) = text.rfind("_Generic((") {
            let inner =
                text[at + "_Generic((".len()..].split("), int: ").next().expect("its operand");
            text = text.replace(&wrapped(inner), &format!("z({inner})"));
        }
        text
    }

    #[test]
    fn integers_have_no_ends() {
        assert_eq!(c("x < x + 1"), "z(x) < z(x) + 1ll");
        assert_eq!(c("x == -1"), "z(x) == -1ll");
        assert_eq!(c("x * (y - 2) % 3 <= p->n"), "z(x) * (z(y) - 2ll) % 3ll <= z(p->n)");
        assert_eq!(c("a[i - 1] != 0"), "a[(long)(z(i) - 1ll)] != 0");
        assert_eq!(c("(unsigned) x + 1 > 0"), "z((unsigned) x) + 1ll > 0ll");
        assert_eq!(c("*p > 1 << 40"), "z(*p) > 1ll << 40ll");
        assert_eq!(c("f(x + 1) == 0"), "f(z(x) + 1ll) == 0");
        assert_eq!(c("p == \\null"), "p == ((void *)0)");
    }

    #[test]
    fn connectives_bind_as_in_acsl() {
        assert_eq!(c("a ^^ b || c"), "((!(a) != !(b)) || c)");
        assert_eq!(c("a ^^ b && c"), "(!(a) != !((b && c)))");
        let exists = c("\\exists integer i; 0 <= i < n && a[i] == 7 || y == 1");
        assert!(exists.starts_with("not known: a range inside of `||`"), "{exists}");
        let all = c("\\forall integer i; 0 <= i < n ==> i < 100 <==> y == 1");
        assert!(all.starts_with("not known: a range inside of `<==>`"), "{all}");
        let range = c("\\forall integer i; 0 <= i < n || y == 1 ==> a[i] == 0");
        assert!(range.starts_with("not known: a range with `||`"), "{range}");
    }

    #[test]
    fn predicates_become_c() {
        assert_eq!(
            c("\\result >= 0 ==> *p == \\old(*p) + 1"),
            "(!(result >= 0) || (z(*p) == old(z(*p)) + 1ll))"
        );
        assert_eq!(c("0 <= x < n"), "(0 <= x && z(x) < z(n))");
        assert_eq!(c("a <==> b"), "(!(a) == !(b))");
        assert_eq!(
            c("!(a && b) || \\false"),
            "(!((a && b)) || 0)".replace("!((a && b))", "!(((a && b)))")
        );
        assert_eq!(c("bounded: x > 0"), "x > 0");
        assert_eq!(c("x == y ? a : b"), "((z(x) == z(y)) ? (a) : (b))");
        assert_eq!(c("\\at(x, Pre) == x"), "old(z(x)) == z(x)");
    }

    #[test]
    fn quantifiers_have_ranges() {
        assert_eq!(
            c("\\forall integer i; 0 <= i < n ==> a[i] == \\old(a[i])"),
            "forall(i, 0, n, z(a[i]) == old(z(a[i])))"
        );
        assert_eq!(
            c("\\forall integer i; 0 <= i <= n - 2 ==> a[i] <= a[i+1]"),
            "forall(i, 0, (z(n) - 2ll) + 1, z(a[i]) <= z(a[(long)(z(i) + 1ll)]))"
        );
        assert_eq!(
            c("n > 0 && \\exists integer i; 0 <= i < n && a[i] == x"),
            "(n > 0 && exists(i, 0, n, z(a[i]) == z(x)))"
        );
        assert_eq!(
            c("\\forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j]"),
            "forall(i, 0, n, forall(j, (i) + 1, n, !((0 <= i && z(i) < z(j) && z(j) < z(n))) || (z(a[i]) <= z(a[j]))))"
        );
        assert_eq!(
            c("\\forall int i; i >= 0 && i < n ==> a[i] > 0"),
            "forall(i, 0, n, !((i >= 0 && z(i) < z(n))) || (a[i] > 0))"
        );
    }

    #[test]
    fn what_is_not_known_is_named() {
        assert_eq!(c("\\separated(p, q)"), "not known: `\\separated`");
        assert_eq!(c("\\forall integer i; a[i] > 0"), "not known: a `\\forall` without a range");
        assert_eq!(c("\\at(x, Here) > 0"), "not known: `\\at(x, Here)`");
        assert!(c("\\forall integer i; i < n ==> a[i]").contains("whose range is not given"));
    }

    #[test]
    fn conjunctions_come_apart() {
        assert_eq!(conjuncts("\\valid(p) && n > 0"), ["\\valid(p)", "n > 0"]);
        assert_eq!(conjuncts("a && b ==> c"), ["a && b ==> c"]);
        assert_eq!(argument("\\valid(p + (0 .. n-1))", "\\valid"), Some("p + (0 .. n-1)"));
        assert_eq!(argument("\\valid(p) && q", "\\valid"), None);
    }
}
