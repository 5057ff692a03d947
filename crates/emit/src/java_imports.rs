//! Which classes a test file imports, so that its tests name them shortly.

use std::collections::{BTreeMap, BTreeSet};

/// Names of `java.lang` and of test frameworks that imports must not hide.
const KEPT: &[&str] = &[
    "Assert",
    "Assertions",
    "Boolean",
    "Byte",
    "Character",
    "Class",
    "Double",
    "Error",
    "Exception",
    "Float",
    "Integer",
    "Iterable",
    "Long",
    "Math",
    "Number",
    "Object",
    "Record",
    "Runnable",
    "RuntimeException",
    "Short",
    "String",
    "System",
    "Test",
    "Thread",
    "Throwable",
];

/// Classes of `java.lang` that the texts around tests name.
const LANGUAGE: &[&str] = &[
    "AssertionError",
    "Class",
    "Double",
    "Exception",
    "Float",
    "LinkageError",
    "Object",
    "Override",
    "Runtime",
    "String",
    "System",
    "Thread",
    "Throwable",
    "UnsupportedOperationException",
];

/// The imports of one file, by simple name.
#[derive(Debug, Default, Clone)]
pub struct Imports {
    known: BTreeMap<String, String>,
    /// Simple names that mean something else.
    taken: BTreeSet<String>,
    /// Simple names of classes of the package, which hide those of `java.lang`.
    neighbors: BTreeSet<String>,
}

impl Imports {
    /// For a file in whose package these classes are.
    pub fn new<'a>(neighbors: impl Iterator<Item = &'a str>) -> Imports {
        let neighbors: BTreeSet<String> = neighbors.map(str::to_owned).collect();
        let kept = KEPT.iter().map(|&name| name.to_owned());
        let taken = kept.chain(neighbors.iter().cloned()).collect();
        Imports { known: BTreeMap::new(), taken, neighbors }
    }

    /// Whether a class of the package has this simple name.
    pub fn is_neighbor(&self, simple: &str) -> bool {
        self.neighbors.contains(simple)
    }

    /// Text that names classes of `java.lang` shortly, so that it means them in this package, too.
    pub fn of_language(&self, text: &str) -> String {
        if self.neighbors.is_disjoint(&LANGUAGE.iter().map(|&name| name.to_owned()).collect()) {
            return text.to_owned();
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let mut out = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let end = match first {
                '"' => rest[1..].find('"').map_or(rest.len(), |at| at + 2),
                first if is_part(first) => rest.find(|c: char| !is_part(c)).unwrap_or(rest.len()),
                first => first.len_utf8(),
            };
            let (word, after) = rest.split_at(end);
            let is_hidden = LANGUAGE.contains(&word) && self.is_neighbor(word);
            if is_hidden && !out.ends_with('.') {
                out.push_str("java.lang.");
            }
            out.push_str(word);
            rest = after;
        }
        out
    }

    /// How the file names a class of another package, by its source name.
    pub fn name(&mut self, full: &str) -> String {
        let parts: Vec<&str> = full.split('.').collect();
        let is_class = |part: &&str| part.starts_with(|letter: char| letter.is_uppercase());
        let Some(outer) = parts.iter().position(is_class).filter(|&outer| outer > 0) else {
            return full.to_owned();
        };
        let (simple, whole) = (parts[outer], parts[..=outer].join("."));
        let is_free = match self.known.get(simple) {
            Some(known) => *known == whole,
            None => !self.taken.contains(simple),
        };
        if !is_free {
            return full.to_owned();
        }
        self.known.insert(simple.to_owned(), whole);
        parts[outer..].join(".")
    }

    /// The lines, sorted.
    pub fn lines(&self) -> String {
        let mut all: Vec<&String> = self.known.values().collect();
        all.sort();
        all.into_iter().map(|name| format!("import {name};\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Imports;

    #[test]
    fn names_stay_apart() {
        let mut imports = Imports::new(["Date"].into_iter());
        assert_eq!(imports.name("java.util.List"), "List");
        assert_eq!(imports.name("java.awt.List"), "java.awt.List");
        assert_eq!(imports.name("java.util.Map.Entry"), "Map.Entry");
        assert_eq!(imports.name("java.util.Date"), "java.util.Date");
        assert_eq!(imports.name("Lonely"), "Lonely");
        assert_eq!(imports.lines(), "import java.util.List;\nimport java.util.Map;\n");
    }
}
