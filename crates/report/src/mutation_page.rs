//! Mutants and what became of them as a page: each with its change and its verdict, one file that needs nothing else.

use std::fmt::Write as _;

use crate::mutation::{Counts, Fate, Function, Judged};
use crate::xml::escape;

const STYLE: &str = include_str!("mutation_page.css");
const SCRIPT: &str = include_str!("mutation_page.js");

/// The kinds of verdicts, worst first, with what they are called.
const KINDS: &[(&str, &str)] = &[
    ("unknown", "unknown"),
    ("equivalent-within", "equivalent within bounds"),
    ("equivalent", "proved equivalent"),
    ("timed-out", "killed by time"),
    ("killed", "killed"),
    ("not-compiled", "not compiled"),
];

/// The page; `source` gives the text of a file.
pub fn page(functions: &[Function], source: &dyn Fn(&str) -> String) -> String {
    let counts = Counts::of(functions);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Mutants</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>Mutants</h1>\n"
    );
    let _ = writeln!(out, "<p>{}</p>", escape(&score(counts)));
    out.push_str("<fieldset><legend>Show</legend>\n");
    for (kind, words) in KINDS {
        let all = functions.iter().flat_map(|function| &function.mutants);
        let n_such = all.filter(|mutant| mutant.fate.name() == *kind).count();
        if n_such > 0 {
            // What needs no look is not shown at first.
            let is_shown = !matches!(*kind, "killed" | "timed-out" | "not-compiled");
            let checked = if is_shown { " checked" } else { "" };
            let _ = writeln!(
                out,
                "<label><input type=\"checkbox\" value=\"{kind}\"{checked}> {words} ({n_such})</label>"
            );
        }
    }
    out.push_str(
        "</fieldset>\n<p id=\"nothing\" hidden>All mutants are hidden: choose what to show.</p>\n",
    );
    for function in functions {
        let _ = writeln!(
            out,
            "<section>\n<h2>{}</h2>\n<p>{}</p>",
            escape(&function.name),
            escape(&score(Counts::of([function])))
        );
        for note in &function.notes {
            let _ = writeln!(out, "<p>{}</p>", escape(note));
        }
        for mutant in &function.mutants {
            out.push_str(&article(mutant, &source(&mutant.file)));
        }
        out.push_str("</section>\n");
    }
    let _ = writeln!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>");
    out
}

fn score(counts: Counts) -> String {
    let mortal = counts.n_mortal();
    let share = if mortal == 0 { 100.0 } else { 100.0 * counts.killed as f64 / mortal as f64 };
    format!(
        "{} mutants: {} killed of {mortal} that tests could notice (score {share:.1} %), {} proved equivalent, {} open",
        counts.all, counts.killed, counts.equivalent, counts.unknown
    )
}

/// One mutant.
fn article(mutant: &Judged, source: &str) -> String {
    let (kind, verdict) = (mutant.fate.name(), verdict(&mutant.fate));
    let (line, column) = mutant.start;
    let place = format!("{}:{line}:{column}", mutant.file);
    format!(
        "<article class=\"{kind}\">\n<h3><code>{}</code> <span>{}</span></h3>\n<pre class=\"diff\">{}</pre>\n\
         <p class=\"verdict\">{}</p>\n</article>\n",
        escape(&place),
        escape(mutant.operator),
        diff(mutant, source),
        escape(&verdict)
    )
}

fn verdict(fate: &Fate) -> String {
    match fate {
        Fate::Killed { by, how } => format!("killed by {by}: {how}"),
        Fate::TimedOut { by } => format!("killed by {by}: it does not end in a hundredfold time"),
        Fate::NotCompiled => "not compiled: the change makes no program".to_owned(),
        Fate::Equivalent { method } => {
            format!("equivalent: proved ({})", crate::verdict_text::method(*method))
        }
        Fate::EquivalentWithin { bounds } => {
            format!("equivalent within bounds: {}", bounds.join("; "))
        }
        Fate::Unknown { reason } => format!("unknown: {reason}"),
    }
}

/// The lines with the change, before and after it. What was changed is marked.
fn diff(mutant: &Judged, source: &str) -> String {
    let lines: Vec<&str> = source.lines().collect();
    let at = |line: u32| usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    let (first, last) = (at(mutant.start.0), at(mutant.end.0));
    let own = lines.get(first..=last).filter(|own| !own.is_empty());
    let cut = |text: &str, column: u32| {
        let column = usize::try_from(column).unwrap_or(usize::MAX).saturating_sub(1);
        text.char_indices().nth(column).map_or(text.len(), |(at, _)| at)
    };
    let marked = |sign: char, before: &str, text: &str, after: &str| {
        let (class, tag) = if sign == '-' { ("old", "del") } else { ("new", "ins") };
        // Each line is an element of its own.
        let text = escape(text).replace('\n', &format!("</{tag}>\n<{tag}>"));
        let whole = format!("{}<{tag}>{text}</{tag}>{}", escape(before), escape(after));
        let lines =
            whole.lines().map(|line| format!("<span class=\"{class}\">{sign} {line}</span>"));
        lines.collect::<String>()
    };
    // Bytecode has no columns: what was changed stands beside its line.
    let parts = own.and_then(|own| {
        let (head, tail) = (own.first()?, own.last()?);
        let (start, end) = (cut(head, mutant.start.1), cut(tail, mutant.end.1));
        let whole = own.join("\n");
        let end = whole.len() - (tail.len() - end);
        let text = whole.get(start..end)?;
        (text == mutant.original).then(|| (whole[..start].to_owned(), whole[end..].to_owned()))
    });
    match parts {
        Some((before, after)) => {
            marked('-', &before, &mutant.original, &after)
                + &marked('+', &before, &mutant.replacement, &after)
        }
        None => {
            let shown = lines
                .get(first)
                .map_or(String::new(), |line| format!("<span>  {}</span>", escape(line)));
            shown
                + &marked('-', "", &mutant.original, "")
                + &marked('+', "", &mutant.replacement, "")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fate, Function, Judged, page};

    fn mutant(start: (u32, u32), end: (u32, u32), original: &str, fate: Fate) -> Judged {
        let (original, replacement) = (original.to_owned(), "((a) <= (b))".to_owned());
        Judged { operator: "ror", file: "f.c".to_owned(), start, end, original, replacement, fate }
    }

    #[test]
    fn every_mutant_has_its_change_and_its_verdict() {
        let killed = Fate::Killed { by: "test_1".to_owned(), how: "returns <1>".to_owned() };
        let open = Fate::Unknown { reason: "the time ended".to_owned() };
        let mutants = vec![
            mutant((2, 9), (2, 14), "a < b", killed),
            // Its place does not hold its text.
            mutant((1, 1), (1, 4), "a < b", open),
        ];
        let function = Function {
            name: "f".to_owned(),
            mutants,
            tests: Vec::new(),
            n_given: 0,
            n_killed_first: 0,
            n_killed_by_user: None,
            notes: Vec::new(),
        };
        let source = "int f(int a, int b) {\n    if (a < b) return 1;\n}\n";
        let text = page(&[function], &|_| source.to_owned());
        let changed = "<span class=\"old\">-     if (<del>a &lt; b</del>) return 1;</span>\
                       <span class=\"new\">+     if (<ins>((a) &lt;= (b))</ins>) return 1;</span>";
        assert!(text.contains(changed), "{text}");
        assert!(text.contains("killed by test_1: returns &lt;1&gt;"), "{text}");
        assert!(text.contains("unknown: the time ended"), "{text}");
        assert!(text.contains("<span>  int f(int a, int b) {</span>"), "{text}");
    }
}
