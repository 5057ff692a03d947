//! Comparisons as the source spells them: which instruction is which, and the text of both sides.

use glassbox_ir::instr::{CompareOp, FloatCompareOp};
use glassbox_ir::{Body, Instr, InstrKind, Operand, Program, PureOp, Span, Ty};

/// An operator between numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceOp {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl SourceOp {
    pub fn text(self) -> &'static str {
        match self {
            SourceOp::Less => "<",
            SourceOp::LessEqual => "<=",
            SourceOp::Greater => ">",
            SourceOp::GreaterEqual => ">=",
            SourceOp::Equal => "==",
            SourceOp::NotEqual => "!=",
        }
    }

    /// Whether the IR has the operands the other way round: it knows `<` and `<=` only.
    pub(crate) fn is_swapped(self) -> bool {
        matches!(self, SourceOp::Greater | SourceOp::GreaterEqual)
    }

    /// Whether a comparison of the IR is of this kind, whichever side its operands are on.
    fn fits(self, kind: &InstrKind) -> bool {
        let (is_less, is_at_most, is_equal) = match kind {
            InstrKind::Pure(PureOp::Compare { op, .. }) => (
                matches!(op, CompareOp::Slt | CompareOp::Ult),
                matches!(op, CompareOp::Sle | CompareOp::Ule),
                *op == CompareOp::Eq,
            ),
            InstrKind::Pure(PureOp::FloatCompare { op, .. }) => {
                (*op == FloatCompareOp::Lt, *op == FloatCompareOp::Le, *op == FloatCompareOp::Eq)
            }
            InstrKind::Pure(_)
            | InstrKind::Pointer(_)
            | InstrKind::Memory(_)
            | InstrKind::VarArgs(_)
            | InstrKind::Call(_)
            | InstrKind::Check(_)
            | InstrKind::Assume { .. }
            | InstrKind::Mark(_)
            | InstrKind::Unsupported { .. } => return false,
        };
        match self {
            SourceOp::Less | SourceOp::Greater => is_less,
            SourceOp::LessEqual | SourceOp::GreaterEqual => is_at_most,
            SourceOp::Equal => is_equal,
            SourceOp::NotEqual => !is_less && !is_at_most && !is_equal,
        }
    }
}

/// A comparison of two numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    pub left: String,
    pub right: String,
    pub op: SourceOp,
    pub is_float: bool,
}

/// Where the parts of a comparison stand in its text, as byte offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// Where the left side ends.
    pub left_end: usize,
    pub op: SourceOp,
    /// Where the right side begins.
    pub right_start: usize,
}

/// The comparison that the source wrote as this instruction, if it did.
pub(crate) fn comparison_at(program: &Program, body: &Body, instr: &Instr) -> Option<Comparison> {
    let InstrKind::Pure(
        op @ (PureOp::Compare { lhs, rhs, .. } | PureOp::FloatCompare { lhs, rhs, .. }),
    ) = &instr.kind
    else {
        return None;
    };
    let is_float = matches!(op, PureOp::FloatCompare { .. });
    let is_truth = |operand: &Operand| match operand {
        Operand::Value(value) => body.value_ty(*value) == Ty::BOOL,
        Operand::Int(bits) => bits.width() == 1,
        Operand::Float(_) | Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => false,
    };
    if is_truth(lhs) || is_truth(rhs) {
        return None;
    }
    let text = text_at(program, instr.span)?;
    let parts = parts(&text)?;
    let side = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    parts.op.fits(&instr.kind).then(|| Comparison {
        left: side(&text[..parts.left_end]),
        right: side(&text[parts.right_start..]),
        op: parts.op,
        is_float,
    })
}

/// The text of a span, where the file could be read.
pub fn text_at(program: &Program, span: Span) -> Option<String> {
    if span.is_nowhere() {
        return None;
    }
    let text = program.files.get(span.file.index())?.text.as_deref()?;
    let mut starts = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let first = starts.nth(usize::try_from(span.line).ok()?.checked_sub(1)?)?;
    let n_more = usize::try_from(span.end_line.checked_sub(span.line)?).ok()?;
    let last = if n_more == 0 { first } else { starts.nth(n_more - 1)? };
    let start = first.checked_add(usize::try_from(span.column).ok()?.checked_sub(1)?)?;
    let end = last.checked_add(usize::try_from(span.end_column).ok()?.checked_sub(1)?)?;
    text.get(start..end).map(str::to_owned)
}

/// The operator of a comparison, outside brackets and quotes: the one that binds least, and of several the
/// last, since they group to the left. `None` if the text is no comparison.
pub fn parts(text: &str) -> Option<Parts> {
    let mut depth = 0i32;
    let mut order = None;
    let mut equality = None;
    let mut at = 0;
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        let length = match letter {
            '(' | '[' | '{' => {
                depth += 1;
                1
            }
            ')' | ']' | '}' => {
                depth -= 1;
                1
            }
            '"' | '\'' => quoted_length(rest, letter),
            _ => match operator(rest) {
                (Some(op), length) => {
                    if depth == 0 {
                        let found = Parts { left_end: at, op, right_start: at + length };
                        match op {
                            SourceOp::Equal | SourceOp::NotEqual => equality = Some(found),
                            SourceOp::Less
                            | SourceOp::LessEqual
                            | SourceOp::Greater
                            | SourceOp::GreaterEqual => order = Some(found),
                        }
                    }
                    length
                }
                (None, length) => length,
            },
        };
        at += length;
    }
    // Operators that bind less than comparisons make the whole something else.
    let has_loose = ["&&", "||", "?", ",", ";"].iter().any(|loose| is_outside(text, loose));
    equality.or(order).filter(|_| depth == 0 && !has_loose)
}

/// The comparison operator that a text starts with, and how many bytes to go on.
fn operator(rest: &str) -> (Option<SourceOp>, usize) {
    const OPERATORS: &[(&str, Option<SourceOp>)] = &[
        ("<<=", None),
        (">>=", None),
        ("<<", None),
        (">>", None),
        ("->", None),
        ("<=", Some(SourceOp::LessEqual)),
        (">=", Some(SourceOp::GreaterEqual)),
        ("==", Some(SourceOp::Equal)),
        ("!=", Some(SourceOp::NotEqual)),
        ("<", Some(SourceOp::Less)),
        (">", Some(SourceOp::Greater)),
    ];
    OPERATORS
        .iter()
        .find(|(text, _)| rest.starts_with(text))
        .map(|(text, op)| (*op, text.len()))
        .unwrap_or((None, rest.chars().next().map_or(1, char::len_utf8)))
}

/// Bytes of the literal that a text starts with.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Whether `what` occurs outside brackets and quotes.
fn is_outside(text: &str, what: &str) -> bool {
    let mut depth = 0i32;
    let mut at = 0;
    while let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        if depth == 0 && rest.starts_with(what) {
            return true;
        }
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        at += match letter {
            '"' | '\'' => quoted_length(rest, letter),
            _ => letter.len_utf8(),
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{SourceOp, parts};

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, SourceOp, &str)>) {
        let found = parts(text).map(|parts| {
            (text[..parts.left_end].trim(), parts.op, text[parts.right_start..].trim())
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn the_operator_that_binds_least_splits_the_text() {
        check("a < b", Some(("a", SourceOp::Less, "b")));
        check("p->n >= x << 2", Some(("p->n", SourceOp::GreaterEqual, "x << 2")));
        check("a < b == c", Some(("a < b", SourceOp::Equal, "c")));
        check("s[i < 3] != '<'", Some(("s[i < 3]", SourceOp::NotEqual, "'<'")));
        check("f(a == b) > '\\''", Some(("f(a == b)", SourceOp::Greater, "'\\''")));
    }

    #[test]
    fn other_expressions_are_no_comparisons() {
        check("x", None);
        check("x >> 3", None);
        check("a < b && c", None);
        check("(a < b)", None);
        check("p->next", None);
        check("x <<= 1", None);
    }
}
