//! Findings that are not counted: somebody has looked at them, or another finding stands for them.

/// Why a property that is violated or not decided does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dismissal {
    /// A comment beside it says so, with a reason.
    InSource { reason: String },
    /// The baseline has it.
    Known,
    /// What is reported at this place has the same cause.
    SameCause { place: String },
}

impl Dismissal {
    /// For people, behind the verdict.
    pub fn text(&self) -> String {
        match self {
            Dismissal::InSource { reason } => format!("ignored in the source: {reason}"),
            Dismissal::Known => "known: it is in the baseline".to_owned(),
            Dismissal::SameCause { place } => format!("the same cause as {place}"),
        }
    }

    /// How they are counted.
    pub fn name(&self) -> &'static str {
        match self {
            Dismissal::InSource { .. } => "ignored",
            Dismissal::Known => "known",
            Dismissal::SameCause { .. } => "same-cause",
        }
    }
}
