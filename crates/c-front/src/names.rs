//! Interned names: identifiers and tags as small numbers.

use rustc_hash::FxHashMap;

/// An interned identifier; compare by number, read through [`Names::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

/// The table of all identifiers of a program. Numbers are given in order of first appearance.
#[derive(Debug, Clone)]
pub struct Names {
    texts: Vec<std::sync::Arc<str>>,
    numbers: FxHashMap<std::sync::Arc<str>, Name>,
}

impl Default for Names {
    /// A table that already has every keyword, so that a keyword is known by its number.
    fn default() -> Names {
        let mut names = Names { texts: Vec::new(), numbers: FxHashMap::default() };
        for (spelling, _) in crate::parse::token::KEYWORDS {
            names.intern(spelling);
        }
        names
    }
}

impl Names {
    /// The number of `text`, given on first sight.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&name) = self.numbers.get(text) {
            return name;
        }
        let name = Name(u32::try_from(self.texts.len()).expect("names should fit 32 bits"));
        let shared: std::sync::Arc<str> = text.into();
        self.texts.push(shared.clone());
        self.numbers.insert(shared, name);
        name
    }

    /// The number of `text` if it has one.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.numbers.get(text).copied()
    }

    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
}
