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

/// The imports of one file, by simple name.
#[derive(Debug, Default, Clone)]
pub struct Imports {
    known: BTreeMap<String, String>,
    /// Simple names that mean something else.
    taken: BTreeSet<String>,
}

impl Imports {
    /// For a file in whose package these classes are.
    pub fn new<'a>(neighbors: impl Iterator<Item = &'a str>) -> Imports {
        let taken = KEPT.iter().copied().chain(neighbors).map(str::to_owned).collect();
        Imports { known: BTreeMap::new(), taken }
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
