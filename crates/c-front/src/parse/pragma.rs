//! `#pragma`: how members are packed, and which pragmas change meaning in ways that are not modeled.

/// What `#pragma pack` has set, and the values that `push` has saved with their names.
#[derive(Debug, Default)]
pub(super) struct Packing {
    /// 0 means natural alignment.
    now: u64,
    saved: Vec<(Option<String>, u64)>,
}

impl Packing {
    /// What holds after `#pragma pack` with these arguments; `None` for what compilers understand differently, or read
    /// as more than plain numbers and names.
    pub(super) fn take(&mut self, arguments: &str) -> Option<u64> {
        let inner = arguments.trim().strip_prefix('(')?.strip_suffix(')')?;
        let words: Vec<&str> = inner.split(',').map(str::trim).collect();
        match words[..] {
            [""] => self.now = 0,
            ["push"] => self.push(None, self.now),
            ["push", word] => match number(word) {
                Some(bytes) => self.push(None, alignment(bytes)?),
                None => self.push(Some(name(word)?), self.now),
            },
            ["push", word, bytes] => self.push(Some(name(word)?), alignment(number(bytes)?)?),
            ["pop"] => self.pop(None),
            ["pop", word] => self.pop(Some(name(word)?)),
            [word] => self.now = alignment(number(word)?).unwrap_or(self.now),
            _ => return None,
        }
        Some(self.now)
    }

    fn push(&mut self, name: Option<&str>, bytes: u64) {
        self.saved.push((name.map(str::to_owned), self.now));
        self.now = bytes;
    }

    /// Goes back to what was before the last `push`; with a name, to what was before the last one of that name, or
    /// before the last one at all where no push has it.
    fn pop(&mut self, name: Option<&str>) {
        let is_named = |(of, _): &(Option<String>, u64)| of.as_deref() == name;
        if let Some(place) = name.and_then(|_| self.saved.iter().rposition(is_named)) {
            self.saved.truncate(place + 1);
        }
        if let Some((_, before)) = self.saved.pop() {
            self.now = before;
        }
    }
}

/// A number that is read as it is written everywhere: decimal, without a suffix.
fn number(word: &str) -> Option<u64> {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_digit());
    let is_octal = word.len() > 1 && word.starts_with('0');
    word.parse().ok().filter(|_| is_plain && !is_octal)
}

/// Numbers that are no alignment are ignored where they stand alone.
fn alignment(bytes: u64) -> Option<u64> {
    matches!(bytes, 0 | 1 | 2 | 4 | 8 | 16).then_some(bytes)
}

pub(super) fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn name(word: &str) -> Option<&str> {
    let is_name = word.starts_with(|first: char| is_letter(first) && !first.is_ascii_digit());
    (is_name && word.chars().all(is_letter)).then_some(word)
}

/// Pragmas of families that compilers know and that change nothing which a defined program can observe.
const HARMLESS: [(&str, &[&str]); 3] = [
    (
        "GCC",
        &[
            "dependency",
            "diagnostic",
            "error",
            "ivdep",
            "novector",
            "pch_preprocess",
            "poison",
            "pop_options",
            "push_options",
            "reset_options",
            "system_header",
            "unroll",
            "visibility",
            "warning",
        ],
    ),
    // Operations are fused only where flags let the machine do it, which is refused elsewhere; numbers are rounded to
    // the nearest one, and complex numbers are not modeled.
    ("STDC", &["CX_LIMITED_RANGE", "FENV_ACCESS", "FP_CONTRACT"]),
    ("clang", &["assume_nonnull", "diagnostic", "loop", "optimize", "poison", "system_header"]),
];

/// Other pragmas that a compiler knows and that change meaning.
const UNMODELED: [&str; 11] = [
    "acc",
    "align",
    "fenv_access",
    "fini",
    "float_control",
    "init",
    "ms_struct",
    "options",
    "redefine_extname",
    "scalar_storage_order",
    "weak",
];

/// The pragma, if it changes meaning in a way that is not modeled. Compilers ignore those whose first word they do not
/// know; of families that they do know, what is not in the list of harmless ones is taken to change meaning.
pub(super) fn unmodeled(text: &str, is_in_system_header: bool) -> Option<Box<str>> {
    let mut words = text.split(|c: char| c.is_whitespace() || c == '(').filter(|it| !it.is_empty());
    let family = words.next()?;
    if let Some((_, harmless)) = HARMLESS.iter().find(|(known, _)| *known == family) {
        let which = words.next()?;
        let is_harmless = match which {
            "optimize" if family == "GCC" => is_level(text),
            // Headers of intrinsic functions have it around these, which are known by name or not at all.
            "target" => is_in_system_header,
            which => harmless.contains(&which),
        };
        return (!is_harmless).then(|| format!("{family} {which}").into());
    }
    UNMODELED.contains(&family).then(|| family.into())
}

/// Whether `GCC optimize` has levels of optimization alone, of which the fastest one changes meaning.
fn is_level(text: &str) -> bool {
    let between = text.split_once("optimize").map_or("", |(_, rest)| rest);
    let mut words = between.split(|c: char| c.is_whitespace() || "(),\"".contains(c));
    words.all(|word| {
        let level = word.strip_prefix('-').unwrap_or(word);
        matches!(
            level.strip_prefix('O').unwrap_or(level),
            "" | "0" | "1" | "2" | "3" | "g" | "s" | "z"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_saved_and_found_again_as_by_gcc() {
        let after = |all: &[&str]| {
            let mut packing = Packing::default();
            all.iter().fold(0, |_, arguments| packing.take(arguments).expect("understood"))
        };
        assert_eq!(after(&["(push, 1)", "(pop)"]), 0);
        assert_eq!(after(&["(push, a, 1)", "(push, b, 2)", "(pop, a)"]), 0);
        assert_eq!(after(&["(4)", "(push, a, 1)", "(push, b, 2)", "(pop, b)"]), 1);
        assert_eq!(after(&["(push, a, 1)", "(push, 2)", "(pop, c)"]), 1);
        // Nothing was pushed; no alignment; more than there may be.
        assert_eq!(after(&["(1)", "(pop)"]), 1);
        assert_eq!(after(&["(1)", "(3)"]), 1);
        assert_eq!(after(&["(1)", "(32)"]), 1);
        assert_eq!(after(&["(1)", "()"]), 0);
    }

    #[test]
    fn packing_that_compilers_read_differently_is_not_guessed() {
        for arguments in [
            " 1",
            "(1",
            "(0x2)",
            "(01)",
            "(1u)",
            "(push, 1) more",
            "((1))",
            "(push, 1, a)",
            "(+1)",
            "(pop, 1)",
            "(push, a b, 1)",
            "(pop, a, 1)",
            "(N)",
            "(push, 3)",
            "(push 1)",
            "",
        ] {
            assert_eq!(Packing::default().take(arguments), None, "{arguments}");
        }
    }

    #[test]
    fn families_that_compilers_know_are_not_ignored() {
        let is_fine = |text: &str| unmodeled(text, false).is_none();
        for text in [
            "once",
            "warning(disable: 4996)",
            "GCC diagnostic push",
            "GCC optimize (\"O3\", 2)",
            "STDC FP_CONTRACT ON",
        ] {
            assert!(is_fine(text), "{text}");
        }
        for text in [
            "GCC target(\"fma\")",
            "GCC optimize (\"fast-math\")",
            "GCC optimize (\"wrapv\")",
            "GCC optimize \"-O2\", \"Ofast\"",
            "clang fp contract(fast)",
            "weak f",
        ] {
            assert!(!is_fine(text), "{text}");
        }
        assert!(unmodeled("GCC target(\"avx2\")", true).is_none());
    }
}
