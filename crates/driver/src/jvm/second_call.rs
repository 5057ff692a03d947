//! The second of two calls that are compared.

use glassbox_testcase::NotCompared;

use super::begun::Begun;

/// How arrays change places in a call and how they are looked at afterwards: by parameter.
pub(super) type Moves<'m> = &'m dyn Fn(&str) -> (u8, u8);

/// A second call.
pub(super) struct Second<'a> {
    /// When it is made.
    pub(super) condition: Option<String>,
    /// Whether it is as the contract requires, where that is not known.
    pub(super) judge: Option<String>,
    /// For engines and for tests.
    pub(super) call: [String; 2],
    /// How many elements change places.
    pub(super) n: String,
    pub(super) moves: Moves<'a>,
    /// What it should return, where that is not `result`.
    pub(super) expected: Option<String>,
    pub(super) not_compared: Vec<NotCompared>,
    /// Classes that either call may start.
    pub(super) begun: Begun,
}

impl Second<'_> {
    /// A call that is always made, with everything where it was.
    pub(super) fn plain(call: [String; 2]) -> Second<'static> {
        let (condition, judge, n) = (None, None, "0".to_owned());
        let (expected, not_compared, begun) = (None, Vec::new(), Begun::default());
        Second { condition, judge, call, n, moves: &|_| (0, 0), expected, not_compared, begun }
    }
}
