//! `#pragma`: how members are packed, and which pragmas change meaning in ways that are not modeled.

/// What `#pragma pack` has set, and the values that `push` has saved with their names.
#[derive(Debug, Default)]
pub(super) struct Packing {
    /// 0 means natural alignment.
    now: u64,
    saved: Vec<(Option<String>, u64)>,
}

impl Packing {
    /// What holds after `#pragma pack` with these arguments. Those that gcc ignores change nothing.
    pub(super) fn take(&mut self, arguments: &str) -> u64 {
        let inner = arguments.trim().trim_start_matches('(').trim_end_matches(')');
        let mut words = inner.split(',').map(str::trim);
        match words.next().unwrap_or_default() {
            "" => self.now = 0,
            "push" => self.push(words),
            "pop" => self.pop(words),
            number => {
                if let (Some(bytes), None) = (alignment(number), words.next()) {
                    self.now = bytes;
                }
            }
        }
        self.now
    }

    /// `push`, `push, name`, `push, 2`, `push, name, 2`.
    fn push<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let (mut name, mut bytes) = (None, None);
        for word in words {
            match alignment(word) {
                Some(given) if bytes.is_none() => bytes = Some(given),
                None if is_name(word) && name.is_none() => name = Some(word.to_owned()),
                _ => return,
            }
        }
        self.saved.push((name, self.now));
        self.now = bytes.unwrap_or(self.now);
    }

    /// `pop` goes back to what was before the last `push`, `pop, name` to what was before the last one of that name, or
    /// before the last one at all where no push has it.
    fn pop<'a>(&mut self, mut words: impl Iterator<Item = &'a str>) {
        let name = words.next();
        if name.is_some_and(|word| !is_name(word)) || words.next().is_some() {
            return;
        }
        let is_named = |(of, _): &(Option<String>, u64)| of.as_deref() == name;
        if let Some(place) = name.and_then(|_| self.saved.iter().rposition(is_named)) {
            self.saved.truncate(place + 1);
        }
        if let Some((_, before)) = self.saved.pop() {
            self.now = before;
        }
    }
}

fn alignment(word: &str) -> Option<u64> {
    word.parse().ok().filter(|bytes| matches!(bytes, 0 | 1 | 2 | 4 | 8 | 16))
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && !word.starts_with(|first: char| first.is_ascii_digit())
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
            // A level of optimization alone.
            "optimize" if family == "GCC" => !text.contains('f'),
            // Headers of intrinsic functions have it around these, which are known by name or not at all.
            "target" => is_in_system_header,
            which => harmless.contains(&which),
        };
        return (!is_harmless).then(|| format!("{family} {which}").into());
    }
    UNMODELED.contains(&family).then(|| family.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_saved_and_found_again_as_by_gcc() {
        let after = |all: &[&str]| {
            let mut packing = Packing::default();
            all.iter().fold(0, |_, arguments| packing.take(arguments))
        };
        assert_eq!(after(&["(push, 1)", "(pop)"]), 0);
        assert_eq!(after(&["(push, a, 1)", "(push, b, 2)", "(pop, a)"]), 0);
        assert_eq!(after(&["(4)", "(push, a, 1)", "(push, b, 2)", "(pop, b)"]), 1);
        assert_eq!(after(&["(push, a, 1)", "(push, 2)", "(pop, c)"]), 1);
        // Nothing was pushed; no alignment; more than there may be.
        assert_eq!(after(&["(1)", "(pop)"]), 1);
        assert_eq!(after(&["(1)", "(3)"]), 1);
        assert_eq!(after(&["(push)", "(1)", "(pop, 2)"]), 1);
        assert_eq!(after(&["(1)", "()"]), 0);
    }

    #[test]
    fn families_that_compilers_know_are_not_ignored() {
        let is_fine = |text: &str| unmodeled(text, false).is_none();
        for text in ["once", "warning(disable: 4996)", "GCC diagnostic push", "STDC FP_CONTRACT ON"]
        {
            assert!(is_fine(text), "{text}");
        }
        for text in [
            "GCC target(\"fma\")",
            "GCC optimize (\"fast-math\")",
            "clang fp contract(fast)",
            "weak f",
        ] {
            assert!(!is_fine(text), "{text}");
        }
        assert!(unmodeled("GCC target(\"avx2\")", true).is_none());
    }
}
