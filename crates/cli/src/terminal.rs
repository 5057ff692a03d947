//! What the terminal can show: colors, width, a line that is drawn over.

#![allow(clippy::disallowed_methods, reason = "variables say what a terminal shows")]

use std::io::IsTerminal;
use std::sync::OnceLock;

use clap::ValueEnum;
use glassbox_testcase::Verdict;

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

/// What a word says, for its color; the worst comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tone {
    /// Covered, holds.
    Good,
    /// Proved impossible.
    Proof,
    /// Not decided.
    Doubt,
    /// Violated.
    Bad,
}

pub(crate) fn tone(verdict: &Verdict) -> Tone {
    match verdict {
        Verdict::Covered { .. } | Verdict::Holds(_) | Verdict::HoldsWithin { .. } => Tone::Good,
        Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. } => Tone::Proof,
        Verdict::Violated { .. } => Tone::Bad,
        Verdict::Unknown(_) => Tone::Doubt,
    }
}

/// The text for standard output, in color where it gets colors.
pub(crate) fn paint(tone: Tone, text: &str) -> String {
    if !is_colored_for(std::io::stdout().is_terminal()) {
        return text.to_owned();
    }
    let code = match tone {
        Tone::Good => "32",
        Tone::Proof => "35",
        Tone::Doubt => "33",
        Tone::Bad => "1;31",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// A line for standard output. On a terminal that it does not fit, it is broken between words, and what follows is indented
/// further than its beginning, so that the next result is easily found; elsewhere lines stay whole for other programs.
pub(crate) fn hanging(line: &str) -> String {
    if std::io::stdout().is_terminal() { broken(line, width()) } else { line.to_owned() }
}

/// Breaks a line between words. Colors take no room.
fn broken(line: &str, width: usize) -> String {
    let indent = line.len() - line.trim_start().len() + 4;
    let mut out = String::new();
    let mut column = 0;
    for word in line.split_inclusive(' ') {
        let shown = visible(word.trim_end());
        if column > indent && column + shown > width {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        }
        out.push_str(word);
        column += visible(word);
    }
    out
}

/// Characters that are seen: those between ESC and `m` are not.
fn visible(text: &str) -> usize {
    let mut is_code = false;
    let seen = text.chars().filter(|&letter| {
        let was_code = is_code;
        is_code = if is_code { letter != 'm' } else { letter == '\x1b' };
        !was_code && !is_code
    });
    seen.count()
}

/// Whether a line on standard error can be drawn over.
pub(crate) fn is_live() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    std::io::stderr().is_terminal() && !is_dumb
}

/// Columns: what `COLUMNS` says, what the terminal says, or 80.
pub(crate) fn width() -> usize {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    given.filter(|width| *width > 0).or_else(asked).unwrap_or(80)
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[test]
    fn lines_are_broken_between_words_and_hang() {
        let line = "  a.c:7:9: above > n is true: \x1b[35minfeasible\x1b[0m: what holds at each line, for every input, excludes it";
        let text = broken(line, 60);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "  a.c:7:9: above > n is true: \x1b[35minfeasible\x1b[0m: what holds at each"
        );
        assert_eq!(lines[1], "      line, for every input, excludes it");
        assert_eq!(broken(line, 200), line);
        // What has no room for a word is left as it is.
        assert_eq!(broken("  a_very_long_word", 8), "  a_very_long_word");
    }
}
