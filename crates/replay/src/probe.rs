//! Probes: a copy of the preprocessed source in which every condition reports its value.
//!
//! In preprocessed text macros are expanded, so that every condition has a place of its own, whatever made it.

use std::collections::BTreeMap;
use std::ops::Range;

use glassbox_ir::DecisionId;

/// A condition that a probe watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeSite {
    pub decision: DecisionId,
    pub condition: u16,
}

/// A condition and where it stands in the preprocessed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedCondition {
    pub site: ProbeSite,
    pub range: Range<usize>,
}

/// A comparison whose operands a probe compares more closely: for boundary values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonSite {
    /// Where it stands in the preprocessed text.
    pub range: Range<usize>,
    /// Bytes of its text before the operator, and before the right side.
    pub left_end: usize,
    pub right_start: usize,
    pub operator: &'static str,
    /// The line of the source, for people.
    pub line: u32,
}

/// How the left operand stood to the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenRelation {
    Equal = 1,
    /// The next number below.
    Below = 2,
    Above = 3,
}

impl SeenRelation {
    /// What the operands should be, for people.
    pub fn words(self) -> &'static str {
        match self {
            SeenRelation::Equal => "equal",
            SeenRelation::Below => "one apart, the left one smaller",
            SeenRelation::Above => "one apart, the left one larger",
        }
    }
}

/// Numbers of probes that one comparison takes.
const PER_COMPARISON: usize = 4;

/// What is watched in one function.
#[derive(Debug, Clone, Copy)]
pub struct Watched<'a> {
    pub conditions: &'a [PlacedCondition],
    pub comparisons: &'a [ComparisonSite],
}

/// The probes of one function: those of its conditions, then those of its comparisons.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Numbers {
    pub first: usize,
    /// By probe, from the first one on.
    pub sites: Vec<ProbeSite>,
    n_comparisons: usize,
}

impl Numbers {
    /// One more than the last number.
    pub fn end(&self) -> usize {
        self.first_of(self.n_comparisons)
    }

    /// The first number of a comparison.
    fn first_of(&self, comparison: usize) -> usize {
        self.first + self.sites.len() + comparison * PER_COMPARISON
    }

    /// The number that the probe of a comparison reports.
    pub fn relation(&self, comparison: usize, relation: SeenRelation) -> usize {
        self.first_of(comparison) + relation as usize
    }

    /// The condition that a probe watches.
    pub fn site(&self, probe: usize) -> Option<ProbeSite> {
        self.sites.get(probe.checked_sub(self.first)?).copied()
    }
}

/// The instrumented text and what its probes mean.
#[derive(Debug, Clone)]
pub struct Probes {
    pub text: Vec<u8>,
    /// By function.
    pub numbers: Vec<Numbers>,
}

/// (offset, closing before opening, longer span outside, text)
type Insertion = (usize, u8, usize, String);

/// Puts a probe around every condition of several functions, and around the operands of comparisons.
pub fn instrument(text: &[u8], functions: &[Watched<'_>]) -> Probes {
    let mut n_at: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for condition in functions.iter().flat_map(|watched| watched.conditions) {
        *n_at.entry((condition.range.start, condition.range.end)).or_default() += 1;
    }
    let mut all = Vec::new();
    let mut next = 0;
    let mut insertions: Vec<Insertion> = Vec::new();
    for watched in functions {
        let mut numbers =
            Numbers { first: next, sites: Vec::new(), n_comparisons: watched.comparisons.len() };
        for condition in watched.conditions {
            let Range { start, end } = condition.range;
            // A condition that is evaluated in several ways at one place cannot be distinguished there.
            let is_shared = n_at.get(&(start, end)).is_some_and(|n| *n > 1);
            let Some(own) = text.get(start..end) else { continue };
            if is_shared || own.is_empty() || is_number(own) {
                continue;
            }
            let number = next + numbers.sites.len();
            numbers.sites.push(condition.site);
            let length = end - start;
            insertions.push((
                start,
                1,
                usize::MAX - 2 * length,
                format!("glassbox_probe({number}, !!("),
            ));
            insertions.push((end, 0, 2 * length + 1, "))".to_owned()));
        }
        for (index, comparison) in watched.comparisons.iter().enumerate() {
            if text.get(comparison.range.clone()).is_some() {
                insertions.extend(operand_probes(comparison, index, numbers.first_of(index)));
            }
        }
        next = numbers.end();
        all.push(numbers);
    }
    insertions.sort();
    let mut probed = Vec::with_capacity(text.len() + insertions.len() * 24);
    let mut copied = 0;
    for (at, _, _, inserted) in insertions {
        probed.extend_from_slice(&text[copied..at]);
        probed.extend_from_slice(inserted.as_bytes());
        copied = at;
    }
    probed.extend_from_slice(&text[copied..]);
    Probes { text: probed, numbers: all }
}

/// Whether a condition is a number as in `while (0)`, which has one value. With a probe it would become a loop, and the
/// lines in front of it would be counted as part of what is never repeated.
fn is_number(condition: &[u8]) -> bool {
    let condition = condition.trim_ascii();
    condition.first().is_some_and(u8::is_ascii_digit)
        && condition.iter().all(u8::is_ascii_alphanumeric)
}

/// What makes `a < b` keep its operands and compare them: inside a condition of the same length, outside of
/// what its operands have inside.
fn operand_probes(comparison: &ComparisonSite, index: usize, first: usize) -> [Insertion; 4] {
    let Range { start, end } = comparison.range;
    let length = end - start;
    let (left, right) = (format!("glassbox_l{index}"), format!("glassbox_r{index}"));
    let operator = comparison.operator;
    // The operator itself becomes a comment.
    [
        (start, 1, usize::MAX - 2 * length + 1, format!("({{ __auto_type {left} = +(")),
        (start + comparison.left_end, 0, usize::MAX, "); /*".to_owned()),
        (start + comparison.right_start, 1, 0, format!("*/ __auto_type {right} = +(")),
        (
            end,
            0,
            2 * length,
            format!(
                "); glassbox_probe({first} + glassbox_relation({left}, {right}), 1); \
                 {left} {operator} {right}; }})"
            ),
        ),
    ]
}

/// Preprocessed text as a source that can be included: definitions of macros come last, so that they hold for the
/// tests and expand nothing twice; line markers that name `shown` name `source` instead.
pub fn as_source(text: &[u8], shown: &str, source: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut macros = Vec::new();
    let mut is_predefined = true;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"#define ") || line.starts_with(b"#undef ") {
            // The compiler defines its own again.
            if !is_predefined {
                macros.extend_from_slice(line);
            }
            out.push(b'\n');
        } else if let Some((number, name)) = line_marker(line) {
            is_predefined = name == b"<built-in>";
            let name = if name == shown.as_bytes() { source.as_bytes() } else { name };
            out.extend_from_slice(format!("# {number} \"").as_bytes());
            out.extend_from_slice(name);
            out.extend_from_slice(b"\"\n");
        } else {
            is_predefined = false;
            out.extend_from_slice(line);
        }
    }
    out.push(b'\n');
    out.extend_from_slice(&macros);
    out
}

/// Number and name, as written, of a line marker.
fn line_marker(line: &[u8]) -> Option<(u32, &[u8])> {
    let rest = line.strip_prefix(b"# ")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let name = rest[digits..].strip_prefix(b" \"")?;
    let end = name.iter().rposition(|&byte| byte == b'"')?;
    Some((number, &name[..end]))
}

/// Reads what probes wrote: (probe, value), in order.
pub fn read_events(text: &str) -> Vec<(usize, bool)> {
    text.lines()
        .filter_map(|line| {
            let (probe, value) = line.split_once(' ')?;
            Some((probe.parse().ok()?, value == "1"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use glassbox_ir::DecisionId;

    use super::{
        ComparisonSite, PlacedCondition, ProbeSite, SeenRelation, Watched, as_source, instrument,
    };

    fn condition(source: &str, decision: usize, number: u16, text: &str) -> PlacedCondition {
        let start = source.find(text).expect("the text should be there");
        let site = ProbeSite { decision: DecisionId::new(decision), condition: number };
        PlacedCondition { site, range: start..start + text.len() }
    }

    fn probed(
        source: &str,
        conditions: &[PlacedCondition],
        comparisons: &[ComparisonSite],
    ) -> String {
        let probes = instrument(source.as_bytes(), &[Watched { conditions, comparisons }]);
        String::from_utf8(probes.text).expect("text stays text")
    }

    #[test]
    fn nested_and_neighboring_conditions_are_wrapped() {
        let source = "int f(int x)\n{ return g(a && b) || c; }\n";
        let all = [
            condition(source, 0, 0, "g(a && b)"),
            condition(source, 0, 1, "c"),
            condition(source, 1, 0, "a"),
            condition(source, 1, 1, "b"),
        ];
        assert_eq!(
            probed(source, &all, &[]),
            "int f(int x)\n{ return glassbox_probe(0, !!(g(glassbox_probe(2, !!(a)) && \
             glassbox_probe(3, !!(b))))) || glassbox_probe(1, !!(c)); }\n"
        );
    }

    #[test]
    fn conditions_that_share_a_place_have_no_probe() {
        let source = "{ if (x) y(); }";
        let all = [condition(source, 0, 0, "x"), condition(source, 1, 0, "x")];
        assert_eq!(probed(source, &all, &[]), source);
    }

    #[test]
    fn numbers_have_no_probe() {
        let source = "{ do { y(); } while (0); }";
        assert_eq!(probed(source, &[condition(source, 0, 0, "0")], &[]), source);
    }

    #[test]
    fn operands_of_comparisons_are_kept_inside_the_probe_of_their_condition() {
        let source = "int f(int a)\n{ return a < 3; }\n";
        let whole = condition(source, 0, 0, "a < 3");
        let range = whole.range.clone();
        let comparison =
            ComparisonSite { range, left_end: 2, right_start: 3, operator: "<", line: 2 };
        assert_eq!(
            probed(source, &[whole], &[comparison]),
            "int f(int a)\n{ return glassbox_probe(0, !!(({ __auto_type glassbox_l0 = +(a ); /*<*/ \
             __auto_type glassbox_r0 = +( 3); glassbox_probe(1 + glassbox_relation(glassbox_l0, \
             glassbox_r0), 1); glassbox_l0 < glassbox_r0; }))); }\n"
        );
    }

    #[test]
    fn every_function_has_numbers_of_its_own() {
        let source = "int f(int a)\n{ return a < 3; }\nint g(int b)\n{ return b && !b; }\n";
        let first = [condition(source, 0, 0, "a < 3")];
        let range = first[0].range.clone();
        let comparison =
            ComparisonSite { range, left_end: 2, right_start: 3, operator: "<", line: 2 };
        let second = [condition(source, 0, 0, "b &&"), condition(source, 0, 1, "!b")];
        let comparisons = [comparison];
        let functions = [
            Watched { conditions: &first, comparisons: &comparisons },
            Watched { conditions: &second, comparisons: &[] },
        ];
        let probes = instrument(source.as_bytes(), &functions);
        let [f, g] = probes.numbers.as_slice() else { panic!("two functions") };
        assert_eq!((f.first, f.end(), f.relation(0, SeenRelation::Below)), (0, 5, 3));
        assert_eq!((g.first, g.end()), (5, 7));
        assert_eq!((g.site(6), g.site(0)), (Some(second[1].site), None));
    }

    #[test]
    fn macros_come_after_the_text_that_was_expanded_with_them() {
        let text = "# 0 \"<built-in>\"\n#define __GNUC__ 12\n# 0 \"<command-line>\"\n#define N 3\n\
                    # 1 \"a.c\"\nint x = 3;\n#define M N\n# 1 \"h.h\" 1\nint y;\n";
        let source = as_source(text.as_bytes(), "a.c", "/src/a.c");
        assert_eq!(
            String::from_utf8(source).expect("text stays text"),
            "# 0 \"<built-in>\"\n\n# 0 \"<command-line>\"\n\n# 1 \"/src/a.c\"\nint x = 3;\n\n\
             # 1 \"h.h\"\nint y;\n\n#define N 3\n#define M N\n"
        );
    }
}
