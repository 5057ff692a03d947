//! What the terminal can show: colors, width, a line that is drawn over.

use std::io::IsTerminal;
use std::sync::OnceLock;

use clap::ValueEnum;

/// `--color`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`
    #[default]
    Auto,
    Always,
    Never,
}

static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

/// Keeps what the user asked for; the first call counts.
pub(crate) fn choose(choice: ColorChoice) {
    let _ = CHOICE.set(choice);
}

/// Whether standard error gets colors.
pub(crate) fn is_colored() -> bool {
    is_colored_for(std::io::stderr().is_terminal())
}

fn is_colored_for(is_terminal: bool) -> bool {
    match CHOICE.get().copied().unwrap_or_default() {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            is_terminal && !is_dumb && !is_set("NO_COLOR")
        }
    }
}

/// Whether a line on standard error can be drawn over.
pub(crate) fn is_live() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    std::io::stderr().is_terminal() && !is_dumb
}

/// Columns: what `COLUMNS` says, what the terminal says, or 80.
pub(crate) fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.filter(|width| *width > 0).or_else(asked).unwrap_or(80)
}
