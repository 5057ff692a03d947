//! Arrows between rooms point one way: each room's manifest names only rooms it may use.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::Complaint;

/// (room, rooms it may depend on). A new arrow is an architectural change: say why in ARCHITECTURE.md.
const ARROWS: &[(&str, &[&str])] = &[
    ("values", &[]),
    ("library", &["values"]),
    ("ir", &["values"]),
    ("terms", &["values"]),
    ("smtlib", &["terms", "values"]),
    ("kernel", &["terms", "values"]),
    ("propagators", &["kernel", "terms", "values"]),
    ("checkers", &["terms", "values"]),
    ("relax", &["kernel", "terms", "values"]),
    ("blast", &["terms", "values"]),
    ("descent", &["terms", "values"]),
    (
        "solver",
        &["blast", "descent", "kernel", "propagators", "relax", "smtlib", "terms", "values"],
    ),
    ("c-front", &["ir", "library", "values"]),
    ("jvm-front", &["ir", "library", "values"]),
    ("testcase", &["ir", "values"]),
    ("interp", &["ir", "library", "testcase", "values"]),
    ("coverage", &["ir", "values"]),
    ("model", &["ir", "library", "terms", "testcase", "values"]),
    (
        "prove",
        &[
            "coverage",
            "interp",
            "ir",
            "kernel",
            "library",
            "model",
            "propagators",
            "relax",
            "solver",
            "terms",
            "testcase",
            "values",
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
    (
        "driver",
        &[
            "c-front",
            "contract",
            "coverage",
            "emit",
            "explore",
            "interp",
            "ir",
            "jvm-front",
            "library",
            "model",
            "prove",
            "replay",
            "report",
            "solver",
            "testcase",
            "values",
        ],
    ),
    (
        "cli",
        &[
            "contract", "coverage", "driver", "emit", "interp", "ir", "model", "prove", "replay",
            "report", "smtlib", "solver", "testcase", "values",
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
        let manifest = root.join("crates").join(&room).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap_or_default();
        complaints.extend(check_room(&room, &text));
    }
    complaints
}

fn check_room(room: &str, manifest: &str) -> Vec<Complaint> {
    let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == room) else {
        return vec![format!("crates/{room}: no arrows declared for this room")];
    };
    let wrong = room_dependencies(manifest)
        .into_iter()
        .filter(|dependency| !allowed.contains(&dependency.as_str()));
    wrong.map(|dependency| format!("crates/{room}: should not depend on {dependency}")).collect()
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
            let _ = found.insert(rest[..end].to_owned());
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
        assert_eq!(check_room("values", manifest).len(), 1);
        assert_eq!(check_room("no-such-room", "").len(), 1);
        let tests_only = "[dev-dependencies]\nglassbox-solver.workspace = true\n";
        assert!(check_room("values", tests_only).is_empty());
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
