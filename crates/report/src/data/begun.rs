//! How the work on the functions of a suite began: the rest of the suite is not read.

use serde::Deserialize;

use super::test::Inputs;

/// A function of a suite that was written before.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Begun {
    pub name: String,
    pub file: Option<String>,
    pub depends: String,
    pub seeds: Vec<Inputs>,
}

/// The functions of a suite; none where the text is no suite.
#[must_use]
pub fn begun(text: &str) -> Vec<Begun> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Outline {
        functions: Vec<Begun>,
    }
    serde_json::from_str::<Outline>(text).unwrap_or_default().functions
}
