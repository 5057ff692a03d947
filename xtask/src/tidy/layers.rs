//! Arrows between rooms point one way: each room's manifest names the rooms it may use, and its sources use them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::Complaint;

/// (room, rooms it may depend on). A new arrow is an architectural change: say why in ARCHITECTURE.md.
const ARROWS: &[(&str, &[&str])] = &[
    ("testkit", &[]),
    ("values", &[]),
    ("ir", &["values"]),
    ("library", &["ir", "values"]),
    ("terms", &["values"]),
    ("smtlib", &["terms", "values"]),
    ("kernel", &["terms", "values"]),
    ("propagators", &["kernel", "terms", "values"]),
    ("checkers", &["terms", "values"]),
    ("relax", &["terms", "values"]),
    ("blast", &["terms", "values"]),
    ("descent", &["terms", "values"]),
    (
        "solver",
        &["blast", "descent", "kernel", "propagators", "relax", "smtlib", "terms", "values"],
    ),
    ("c-front", &["ir", "library", "values"]),
    ("rules-front", &["ir", "values"]),
    ("testcase", &["ir", "values"]),
    ("jvm-front", &["ir", "library", "testcase", "values"]),
    ("interp", &["ir", "library", "testcase", "values"]),
    ("libc", &["interp", "ir", "library", "values"]),
    ("coverage", &["ir", "library", "values"]),
    ("memory", &["ir", "terms"]),
    ("model", &["ir", "library", "memory", "terms", "testcase", "values"]),
    ("whole", &["ir", "kernel", "library", "memory", "model", "relax", "terms", "values"]),
    ("invariants", &["kernel", "propagators", "relax", "solver", "terms", "values", "whole"]),
    ("callsum", &["invariants", "ir", "kernel", "model", "relax", "terms", "values", "whole"]),
    (
        "prove",
        &[
            "callsum",
            "coverage",
            "interp",
            "invariants",
            "ir",
            "kernel",
            "model",
            "relax",
            "solver",
            "terms",
            "testcase",
            "values",
            "whole",
        ],
    ),
    (
        "explore",
        &["coverage", "interp", "ir", "model", "prove", "solver", "terms", "testcase", "values"],
    ),
    ("emit", &["ir", "library", "testcase", "values"]),
    ("replay", &["emit", "ir", "library"]),
    ("report", &["coverage", "ir", "testcase", "values"]),
    ("contract", &["c-front", "emit", "ir", "values"]),
    ("mutate", &["c-front", "jvm-front"]),
    (
        "driver",
        &[
            "c-front",
            "callsum",
            "contract",
            "coverage",
            "emit",
            "explore",
            "interp",
            "ir",
            "jvm-front",
            "libc",
            "library",
            "model",
            "mutate",
            "replay",
            "report",
            "rules-front",
            "solver",
            "testcase",
            "values",
        ],
    ),
    ("lsp", &["contract", "coverage", "driver", "ir", "report", "testcase"]),
    (
        "cli",
        &[
            "contract", "coverage", "driver", "emit", "interp", "ir", "lsp", "model", "prove",
            "replay", "report", "smtlib", "solver", "testcase", "values",
        ],
    ),
];

pub(super) fn check(root: &Path) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let Ok(entries) = fs::read_dir(root.join("crates")) else {
        return vec!["crates: not readable".to_owned()];
    };
    let mut rooms: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    rooms.sort();
    for room in rooms {
        let folder = root.join("crates").join(&room);
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        let sources: String = super::files_below(&folder, &["src"], "rs")
            .iter()
            .map(|file| fs::read_to_string(file).unwrap_or_default())
            .collect();
        complaints.extend(check_room(&room, &manifest, &sources));
    }
    complaints
}

/// Arrows that are declared, those of the manifest and those of the sources should be the same.
fn check_room(room: &str, manifest: &str, sources: &str) -> Vec<Complaint> {
    let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == room) else {
        return vec![format!("crates/{room}: no arrows declared for this room")];
    };
    let mut complaints = Vec::new();
    let dependencies = room_dependencies(manifest);
    for dependency in &dependencies {
        if !allowed.contains(&dependency.as_str()) {
            complaints.push(format!("crates/{room}: should not depend on {dependency}"));
        }
        if !sources.contains(&format!("glassbox_{}", dependency.replace('-', "_"))) {
            complaints.push(format!("crates/{room}: depends on {dependency} and does not use it"));
        }
    }
    for unused in allowed.iter().filter(|allowed| !dependencies.contains(**allowed)) {
        complaints.push(format!("crates/{room}: may depend on {unused} and does not"));
    }
    complaints
}

/// Our rooms among the ordinary dependencies; those for tests may go anywhere.
fn room_dependencies(manifest: &str) -> BTreeSet<String> {
    let mut section = String::new();
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            line.trim_matches(['[', ']']).clone_into(&mut section);
        } else if section == "dependencies"
            && let Some(rest) = line.strip_prefix("glassbox-")
        {
            let end = rest.find(['.', ' ', '=']).unwrap_or(rest.len());
            found.insert(rest[..end].to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{ARROWS, check_room};

    #[test]
    fn a_wrong_arrow_is_noticed() {
        let manifest = "[dependencies]\nglassbox-solver.workspace = true\n";
        let sources = "use glassbox_solver::Solver;";
        assert_eq!(check_room("values", manifest, sources).len(), 1);
        assert_eq!(check_room("no-such-room", "", "").len(), 1);
        let tests_only = "[dev-dependencies]\nglassbox-solver.workspace = true\n";
        assert!(check_room("values", tests_only, "").is_empty());
    }

    #[test]
    fn an_arrow_that_nothing_uses_is_noticed() {
        let manifest = "[dependencies]\nglassbox-values.workspace = true\n";
        assert!(check_room("ir", manifest, "use glassbox_values::Bits;").is_empty());
        assert_eq!(check_room("ir", manifest, "").len(), 1);
        assert_eq!(check_room("ir", "", "").len(), 1);
    }

    #[test]
    fn arrows_have_no_cycle() {
        // Every room comes after the rooms it may use.
        for (position, (room, allowed)) in ARROWS.iter().enumerate() {
            for dependency in *allowed {
                let found = ARROWS[..position].iter().any(|(earlier, _)| earlier == dependency);
                assert!(found, "{room} uses {dependency}, which should be listed before it");
            }
        }
    }
}
