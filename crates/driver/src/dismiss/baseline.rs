//! The file with known findings. A finding is known by its function, kind and text, not by its line, so that edits
//! elsewhere in the file do not make it new.

use std::collections::BTreeMap;
use std::path::Path;

use glassbox_coverage::Property;
use glassbox_ir::Program;
use glassbox_report::verdict_text::place;
use serde_json::{Value, json};

use crate::save::save;

/// Of the file.
const FORMAT: u64 = 1;

/// How often each finding is known: the same text may stand several times in one function.
#[derive(Debug, Default)]
pub(super) struct Known(BTreeMap<String, usize>);

/// One finding as the file has it; only the fingerprint is read again, the rest is for people.
#[derive(Debug)]
pub(super) struct Record {
    fingerprint: String,
    kind: &'static str,
    function: String,
    place: String,
    text: String,
}

impl Record {
    pub(super) fn of(program: &Program, property: &Property, fingerprint: String) -> Record {
        Record {
            fingerprint,
            kind: property.kind.name(),
            function: program.function(property.function).name.clone(),
            place: place(program, property.span),
            text: property.text.clone(),
        }
    }

    fn json(&self) -> Value {
        json!({
            "fingerprint": self.fingerprint,
            "kind": self.kind,
            "function": self.function,
            "place": self.place,
            "text": self.text,
        })
    }
}

impl Known {
    /// What a file has; a message that names it where it is no baseline.
    pub(super) fn read(path: &Path) -> Result<Known, String> {
        let name = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| {
            format!("{name}: {error}\nhelp: `--write-baseline` makes it from what is found now")
        })?;
        let wrong = |what: &str| format!("{name}: no baseline of glassbox: {what}");
        let value: Value =
            serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
        if value["format"].as_u64() != Some(FORMAT) {
            return Err(wrong("`format` should be 1"));
        }
        let findings =
            value["findings"].as_array().ok_or_else(|| wrong("`findings` is missing"))?;
        let mut known = BTreeMap::new();
        for finding in findings {
            let print = finding["fingerprint"].as_str();
            let print = print.ok_or_else(|| wrong("a finding has no `fingerprint`"))?;
            *known.entry(print.to_owned()).or_default() += 1;
        }
        Ok(Known(known))
    }

    /// Whether it is known; each record stands for one finding.
    pub(super) fn takes(&mut self, fingerprint: &str) -> bool {
        match self.0.get_mut(fingerprint) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            Some(_) | None => false,
        }
    }
}

pub(super) fn write(path: &Path, found: &[Record]) -> Result<(), String> {
    let findings: Vec<Value> = found.iter().map(Record::json).collect();
    save(path, &format!("{:#}\n", json!({ "format": FORMAT, "findings": findings })))
}
