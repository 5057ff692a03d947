//! What can be changed in a function, in the order of its text.

use std::collections::BTreeSet;
use std::ops::Range;

use glassbox_c_front::span::Span;
use glassbox_c_front::tree::{
    BinaryOp, CompareOp, Conversion, Expr, ExprId, ExprKind, FunctionId, LogicalOp, Program, Stmt,
    StmtKind,
};

use crate::{Mutant, Operator, Text};

/// All mutants of a function that these operators make; none where its text is elsewhere.
pub fn mutants(
    program: &Program,
    function: FunctionId,
    text: Text<'_>,
    operators: &[Operator],
) -> Vec<Mutant> {
    let Some(body) = &program.function(function).body else { return Vec::new() };
    let span = program.stmt(body.body).span;
    let mut places = Places { program, text, found: Vec::new(), targets: BTreeSet::new() };
    for (_, expr) in program.exprs_within(span) {
        if let ExprKind::CompoundAssign { target, .. }
        | ExprKind::IncDec { target, .. }
        | ExprKind::PointerAssign { target, .. } = expr.kind
        {
            places.targets.insert(program.expr(target).span);
        }
    }
    for (_, expr) in program.exprs_within(span) {
        places.expression(expr);
    }
    let types = &program.types;
    let returns_nothing = types
        .function_type(program.function(function).ty)
        .is_some_and(|ty| types.is_void(ty.result));
    for stmt in program.stmts_within(span).filter(|stmt| stmt.span != span) {
        places.statement(stmt, returns_nothing);
    }
    let mut found = places.found;
    found.retain(|mutant| operators.contains(&mutant.operator));
    found.sort_by_key(|mutant| (mutant.range.start, mutant.range.end, mutant.operator));
    // A macro that uses its argument twice has it in two nodes at different places; the same place twice is one
    // expression that the checker looked at twice.
    let mut seen = BTreeSet::new();
    found.retain(|mutant| {
        seen.insert((mutant.range.start, mutant.range.end, mutant.replacement.clone()))
    });
    found
}

struct Places<'a> {
    program: &'a Program,
    text: Text<'a>,
    found: Vec<Mutant>,
    /// What is read and written at once.
    targets: BTreeSet<Span>,
}

/// An operation with two operands, as it is written.
struct Binary<'a> {
    whole: &'a Expr,
    left: ExprId,
    right: ExprId,
    symbol: &'static str,
}

impl Places<'_> {
    fn expression(&mut self, expr: &Expr) {
        if let ExprKind::Binary { op, left, right } = expr.kind {
            let is_float = self.program.types.float_kind(expr.ty).is_some();
            let binary = Binary { whole: expr, left, right, symbol: symbol(op) };
            let (operator, others) = relatives(op);
            for other in others.iter().filter(|&&other| other != BinaryOp::Rem || !is_float) {
                self.binary(&binary, operator, |l, r| format!("({l}) {} ({r})", symbol(*other)));
            }
        } else if let ExprKind::CompoundAssign { op, target, value, .. } = expr.kind {
            let is_float = self.program.types.float_kind(self.program.expr(target).ty).is_some();
            let symbol_of = assigning(op);
            let binary = Binary { whole: expr, left: target, right: value, symbol: symbol_of };
            let (operator, others) = relatives(op);
            for other in others.iter().filter(|&&other| other != BinaryOp::Rem || !is_float) {
                self.binary(&binary, operator, |l, r| format!("{l} {} ({r})", assigning(*other)));
            }
        } else if let ExprKind::Compare { op, left, right } = expr.kind {
            let is_pointer = self.program.types.is_pointer(self.program.expr(left).ty);
            let binary = Binary { whole: expr, left, right, symbol: comparison(op) };
            let is_allowed = |other: &&CompareOp| {
                **other != op
                    && (!is_pointer || matches!(other, CompareOp::Equal | CompareOp::NotEqual))
            };
            for other in COMPARISONS.iter().filter(is_allowed) {
                self.binary(&binary, Operator::Relational, |l, r| {
                    format!("({l}) {} ({r})", comparison(*other))
                });
            }
        } else if let ExprKind::Logical { op, left, right } = expr.kind {
            let (own, other) = match op {
                LogicalOp::And => ("&&", "||"),
                LogicalOp::Or => ("||", "&&"),
            };
            let binary = Binary { whole: expr, left, right, symbol: own };
            let operator = Operator::Logical;
            let chained = self.chained(&binary);
            match &chained {
                // `&&` binds tighter than `||`, too.
                Some((first, last)) if op == LogicalOp::Or => {
                    self.binary(&binary, operator, |_, r| {
                        format!("({first}) {own} (({last}) {other} ({r}))")
                    });
                }
                Some(_) | None => {
                    self.binary(&binary, operator, |l, r| format!("({l}) {other} ({r})"));
                }
            }
            match chained {
                Some((first, last)) => self.binary(&binary, operator, |_, r| {
                    format!("({first}) {own} (!!({last}) ^ !!({r}))")
                }),
                None => self.binary(&binary, operator, |l, r| format!("!!({l}) ^ !!({r})")),
            }
        } else if let ExprKind::Int(value) = expr.kind {
            let Some(range) = self.text.range(expr.span) else { return };
            let written = self.text.of(range);
            // Names of enumerations and what `sizeof` gives are numbers, too.
            if !written.starts_with(|first: char| first.is_ascii_digit()) {
                return;
            }
            let value = value.signed();
            for other in BTreeSet::from([value.wrapping_add(1), value.wrapping_sub(1), 0]) {
                if other != value {
                    self.add(Operator::Constant, expr.span, format!("({other})"));
                }
            }
        } else if let ExprKind::Convert { conversion: Conversion::Load, operand, .. } = expr.kind {
            let is_named = matches!(self.program.expr(operand).kind, ExprKind::Variable(_));
            let is_target = self.targets.contains(&expr.span);
            if is_named && !is_target && self.program.types.is_arithmetic(expr.ty) {
                let Some(range) = self.text.range(expr.span) else { return };
                let written = self.text.of(range);
                self.add(Operator::Unary, expr.span, format!("(-{written})"));
            }
        } else if let ExprKind::Conditional { condition, .. } = expr.kind {
            self.condition(condition);
        }
    }

    fn statement(&mut self, stmt: &Stmt, returns_nothing: bool) {
        match &stmt.kind {
            StmtKind::If { condition, .. }
            | StmtKind::While { condition, .. }
            | StmtKind::DoWhile { condition, .. }
            | StmtKind::For { condition: Some(condition), .. } => {
                self.condition(*condition);
                self.add(Operator::Deletion, stmt.span, ";".to_owned());
            }
            StmtKind::Expr(_)
            | StmtKind::Switch { .. }
            | StmtKind::For { condition: None, .. }
            | StmtKind::Break
            | StmtKind::Continue => self.add(Operator::Deletion, stmt.span, ";".to_owned()),
            StmtKind::Return(None) if returns_nothing => {
                self.add(Operator::Deletion, stmt.span, ";".to_owned());
            }
            StmtKind::Empty
            | StmtKind::Block(_)
            | StmtKind::Declare { .. }
            | StmtKind::SetVlaLength { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default { .. }
            | StmtKind::Goto(_)
            | StmtKind::GotoComputed(_)
            | StmtKind::Label { .. }
            | StmtKind::Return(_)
            | StmtKind::Unsupported(_)
            | StmtKind::UnsupportedJump { .. } => {}
        }
    }

    fn condition(&mut self, condition: ExprId) {
        let span = self.program.expr(condition).span;
        let Some(range) = self.text.range(span) else { return };
        let written = self.text.of(range);
        self.add(Operator::Unary, span, format!("!({written})"));
    }

    /// Writes an operation with other words between its operands.
    fn binary(
        &mut self,
        binary: &Binary<'_>,
        operator: Operator,
        write: impl Fn(&str, &str) -> String,
    ) {
        let Some(whole) = self.text.range(binary.whole.span) else { return };
        let Some(at) = self.symbol(binary) else { return };
        let left = self.text.of(whole.start..at.start);
        let right = self.text.of(at.end..whole.end);
        let text = write(left.trim(), right.trim());
        let is_assignment = binary.symbol.ends_with('=')
            && binary.symbol.len() > 1
            && !matches!(binary.symbol, "==" | "!=" | "<=" | ">=");
        let text = if is_assignment { text } else { format!("({text})") };
        self.add(operator, binary.whole.span, text);
    }

    /// The operands on the left of `a || b || c`, where nothing brackets them: `^` binds tighter, so that it takes `b` and
    /// `c` when it stands in the place of the last operator.
    fn chained(&self, binary: &Binary<'_>) -> Option<(String, String)> {
        let left = self.program.expr(binary.left);
        let ExprKind::Logical { op, left: first, right: last } = left.kind else { return None };
        let ExprKind::Logical { op: own, .. } = binary.whole.kind else { return None };
        let at = self.symbol(binary)?;
        let range = self.text.range(left.span)?;
        let is_bare = left.span.start == binary.whole.span.start
            && self.text.bytes[range.end..at.start].iter().all(u8::is_ascii_whitespace);
        if op != own || !is_bare {
            return None;
        }
        let symbol = binary.symbol;
        let inner = self.symbol(&Binary { whole: left, left: first, right: last, symbol })?;
        let text = |range: Range<usize>| self.text.of(range).trim().to_owned();
        Some((text(range.start..inner.start), text(inner.end..range.end)))
    }

    /// Where the symbol of an operation stands, between its operands and what brackets them.
    fn symbol(&self, binary: &Binary<'_>) -> Option<Range<usize>> {
        let left = self.text.range(self.program.expr(binary.left).span)?;
        let right = self.text.range(self.program.expr(binary.right).span)?;
        let gap = left.end..right.start;
        let between = self.text.bytes.get(gap.clone())?;
        let symbol = binary.symbol.as_bytes();
        let is_bracket = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')');
        let at = between.windows(symbol.len()).position(|window| window == symbol)?;
        // Casts and line markers would be something else.
        let is_plain = between[..at].iter().all(is_bracket);
        // `+=` has a sum in it that is not written, and `<` is the beginning of `<=`.
        let is_whole = symbol.ends_with(b"=")
            || between.get(at + symbol.len()).is_none_or(|next| !b"=&|<>".contains(next));
        (is_plain && is_whole).then(|| gap.start + at..gap.start + at + symbol.len())
    }

    fn add(&mut self, operator: Operator, span: Span, replacement: String) {
        let Some(range) = self.text.range(span) else { return };
        let original = self.text.of(range.clone());
        self.found.push(Mutant { operator, span, range, original, replacement });
    }
}

const COMPARISONS: &[CompareOp] = &[
    CompareOp::Equal,
    CompareOp::NotEqual,
    CompareOp::Less,
    CompareOp::LessEqual,
    CompareOp::Greater,
    CompareOp::GreaterEqual,
];

fn comparison(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterEqual => ">=",
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
    }
}

fn assigning(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+=",
        BinaryOp::Sub => "-=",
        BinaryOp::Mul => "*=",
        BinaryOp::Div => "/=",
        BinaryOp::Rem => "%=",
        BinaryOp::And => "&=",
        BinaryOp::Or => "|=",
        BinaryOp::Xor => "^=",
        BinaryOp::Shl => "<<=",
        BinaryOp::Shr => ">>=",
    }
}

/// What an operator may become.
fn relatives(op: BinaryOp) -> (Operator, Vec<BinaryOp>) {
    let (operator, family): (Operator, &[BinaryOp]) = match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => (
            Operator::Arithmetic,
            &[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Rem],
        ),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
            (Operator::Logical, &[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor])
        }
        BinaryOp::Shl | BinaryOp::Shr => (Operator::Arithmetic, &[BinaryOp::Shl, BinaryOp::Shr]),
    };
    (operator, family.iter().copied().filter(|other| *other != op).collect())
}
