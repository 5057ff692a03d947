//! The tree as text.
//!
//! An expression prints as `(operation:type operands)`, a constant as `value:type`, a name as itself.

use std::fmt::Write as _;

use glassbox_c_front::tree::{
    AddressBase, Callee, Constant, ExprId, ExprKind, Fixity, FunctionId, Init, InitItem, InitValue,
    LogicalOp, Program, Step, StmtId, StmtKind, StringId, UnaryOp,
};
use glassbox_c_front::ty::kind::TypeId;

pub(super) struct Printer<'a> {
    pub(super) program: &'a Program,
}

impl Printer<'_> {
    fn show_type(&self, ty: TypeId) -> String {
        self.program.types.show(ty, &self.program.names)
    }

    fn function_name(&self, id: FunctionId) -> String {
        self.program.name(self.program.function(id).name).to_string()
    }

    fn show_string(&self, id: StringId) -> String {
        format!("{:?}", String::from_utf8_lossy(&self.program.string(id).bytes))
    }

    /// An expression on one line.
    fn show_expr(&self, id: ExprId) -> String {
        let expr = self.program.expr(id);
        let ty = self.show_type(expr.ty);
        let node = |head: &str, operands: &[String]| {
            let mut out = format!("({head}:{ty}");
            for operand in operands {
                let _ = write!(out, " {operand}");
            }
            out.push(')');
            out
        };
        let show = |id: &ExprId| self.show_expr(*id);
        match &expr.kind {
            ExprKind::Int(value) => {
                let signedness = self.program.types.signedness(expr.ty);
                let signedness = signedness.unwrap_or(glassbox_values::Signedness::Unsigned);
                format!("{}:{ty}", value.to_decimal(signedness))
            }
            ExprKind::Float(value) => format!("{}:{ty}", value.to_decimal()),
            ExprKind::Variable(variable) => {
                self.program.name(self.program.variable(*variable).name).to_string()
            }
            ExprKind::Function(function) => self.function_name(*function),
            ExprKind::String(string) => self.show_string(*string),
            ExprKind::CompoundLiteral { init, .. } => node("literal", &[self.show_init(init)]),
            ExprKind::Deref(operand) => node("deref", &[show(operand)]),
            ExprKind::Member { base, field } => {
                let bits = field.bits.map_or(String::new(), |bits| {
                    format!(" bits {}+{}", bits.bit_offset, bits.width)
                });
                node("member", &[show(base), format!("@{}{bits}", field.offset)])
            }
            ExprKind::Convert { conversion, operand, .. } => {
                node(&format!("{conversion:?}"), &[show(operand)])
            }
            ExprKind::Unary { op: UnaryOp::Negate, operand } => node("neg", &[show(operand)]),
            ExprKind::Unary { op: UnaryOp::BitNot, operand } => node("not", &[show(operand)]),
            ExprKind::Binary { op, left, right } => node(op.text(), &[show(left), show(right)]),
            ExprKind::Compare { op, left, right } => node(op.text(), &[show(left), show(right)]),
            ExprKind::PointerAdd { pointer, index, step } => {
                node(step_text("ptr", *step), &[show(pointer), show(index)])
            }
            ExprKind::PointerDiff { left, right } => node("ptrdiff", &[show(left), show(right)]),
            ExprKind::LogicalNot(operand) => node("!", &[show(operand)]),
            ExprKind::Logical { op, left, right } => {
                let head = match op {
                    LogicalOp::And => "&&",
                    LogicalOp::Or => "||",
                };
                node(head, &[show(left), show(right)])
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                node("?", &[show(condition), show(then), show(otherwise)])
            }
            ExprKind::Reuse(_) => node("reuse", &[]),
            ExprKind::Comma { left, right } => node(",", &[show(left), show(right)]),
            ExprKind::Assign { target, value } => node("=", &[show(target), show(value)]),
            ExprKind::CompoundAssign { op, target, value, compute } => {
                let head = format!("{}=<{}>", op.text(), self.show_type(*compute));
                node(&head, &[show(target), show(value)])
            }
            ExprKind::PointerAssign { target, index, step } => {
                node(step_text("ptr=", *step), &[show(target), show(index)])
            }
            ExprKind::IncDec { target, step, fixity, compute } => {
                let head = inc_dec_text(*fixity, *step);
                node(&format!("{head}<{}>", self.show_type(*compute)), &[show(target)])
            }
            ExprKind::AddressOf(operand) => node("&", &[show(operand)]),
            ExprKind::AddressOfLabel(label) => {
                node("&&label", &[self.program.name(self.program.label(*label).name).to_string()])
            }
            ExprKind::Call { callee, arguments } => {
                let callee = match callee {
                    Callee::Direct(function) => self.function_name(*function),
                    Callee::Indirect(pointer) => show(pointer),
                };
                let mut operands = vec![callee];
                operands.extend(arguments.iter().map(show));
                node("call", &operands)
            }
            ExprKind::Builtin { builtin, arguments } => {
                let operands: Vec<String> = arguments.iter().map(show).collect();
                node(&format!("{builtin:?}"), &operands)
            }
            ExprKind::StatementExpr { statements, result } => {
                let mut operands: Vec<String> = statements
                    .iter()
                    .map(|s| self.show_stmt(*s, 0).trim().replace('\n', " "))
                    .collect();
                operands.extend(result.iter().map(show));
                node("block", &operands)
            }
            ExprKind::SetVlaLength { then, .. } => node("lengths", &[show(then)]),
            ExprKind::Unsupported(what) => node(&format!("unsupported[{what}]"), &[]),
        }
    }

    fn show_init(&self, init: &Init) -> String {
        match init {
            Init::Value(value) => self.show_init_value(value),
            Init::Items(items) => {
                let item = |item: &InitItem| {
                    let mut place = format!("@{}", item.offset);
                    if let Some(bits) = item.bits {
                        let _ = write!(place, " bits {}+{}", bits.bit_offset, bits.width);
                    }
                    for repeat in &item.repeats {
                        let _ = write!(place, " x{}/{}", repeat.count, repeat.stride);
                    }
                    format!("{place} {}", self.show_init_value(&item.value))
                };
                format!("{{{}}}", items.iter().map(item).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn show_init_value(&self, value: &InitValue) -> String {
        match value {
            InitValue::Expr(expr) => self.show_expr(*expr),
            InitValue::Constant(Constant::Int(value)) => format!("{value:?}"),
            InitValue::Constant(Constant::Float(value)) => value.to_decimal(),
            InitValue::Constant(Constant::Address { base, offset }) => {
                let base = match base {
                    AddressBase::Variable(id) => {
                        self.program.name(self.program.variable(*id).name).to_string()
                    }
                    AddressBase::Function(id) => self.function_name(*id),
                    AddressBase::String(id) => self.show_string(*id),
                    AddressBase::Label(id) => {
                        self.program.name(self.program.label(*id).name).to_string()
                    }
                };
                format!("&{base}+{offset}")
            }
            InitValue::String(id) => self.show_string(*id),
            InitValue::Unsupported(what) => format!("unsupported[{what}]"),
        }
    }

    /// A statement, one line per simple statement.
    pub(super) fn show_stmt(&self, id: StmtId, indent: usize) -> String {
        let pad = "  ".repeat(indent);
        let inner = |id: &StmtId| self.show_stmt(*id, indent + 1);
        let line = |text: String| format!("{pad}{text}\n");
        match &self.program.stmt(id).kind {
            StmtKind::Empty => line(";".into()),
            StmtKind::Expr(expr) => line(self.show_expr(*expr)),
            StmtKind::Block(statements) => {
                statements.iter().map(|s| self.show_stmt(*s, indent)).collect()
            }
            StmtKind::Declare { variable, init } => {
                let variable = self.program.variable(*variable);
                let mut text = format!(
                    "declare {}: {}",
                    self.program.name(variable.name),
                    self.show_type(variable.ty)
                );
                if let Some(init) = init {
                    let _ = write!(text, " = {}", self.show_init(init));
                }
                line(text)
            }
            StmtKind::SetVlaLength { length, .. } => {
                line(format!("length {}", self.show_expr(*length)))
            }
            StmtKind::If { condition, then, otherwise } => {
                let mut text = line(format!("if {}", self.show_expr(*condition))) + &inner(then);
                if let Some(otherwise) = otherwise {
                    text += &(line("else".into()) + &inner(otherwise));
                }
                text
            }
            StmtKind::While { condition, body } => {
                line(format!("while {}", self.show_expr(*condition))) + &inner(body)
            }
            StmtKind::DoWhile { body, condition } => {
                line("do".into())
                    + &inner(body)
                    + &line(format!("while {}", self.show_expr(*condition)))
            }
            StmtKind::For { init, condition, step, body } => {
                let part =
                    |expr: &Option<ExprId>| expr.map_or(String::new(), |e| self.show_expr(e));
                let mut text = line("for".into());
                text.extend(init.iter().map(inner));
                text += &line(format!("test {} step {}", part(condition), part(step)));
                text + &inner(body)
            }
            StmtKind::Switch { value, labels, body } => {
                let head = format!("switch {} ({} labels)", self.show_expr(*value), labels.len());
                line(head) + &inner(body)
            }
            StmtKind::Case { low, high, body } => {
                line(format!("case {low:?}..{high:?}")) + &inner(body)
            }
            StmtKind::Default { body } => line("default".into()) + &inner(body),
            StmtKind::Break => line("break".into()),
            StmtKind::Continue => line("continue".into()),
            StmtKind::Goto(label) => {
                line(format!("goto {}", self.program.name(self.program.label(*label).name)))
            }
            StmtKind::GotoComputed(target) => line(format!("goto *{}", self.show_expr(*target))),
            StmtKind::Label { label, body } => {
                line(format!("{}:", self.program.name(self.program.label(*label).name)))
                    + &inner(body)
            }
            StmtKind::Return(value) => {
                line(format!("return {}", value.map_or(String::new(), |v| self.show_expr(v))))
            }
            StmtKind::Unsupported(what) => line(format!("unsupported[{what}]")),
            StmtKind::UnsupportedJump { what, labels } => {
                let names: Vec<&str> = labels
                    .iter()
                    .map(|&label| self.program.name(self.program.label(label).name))
                    .collect();
                line(format!("unsupported[{what}] goto {}", names.join(", ")))
            }
        }
    }
}

fn inc_dec_text(fixity: Fixity, step: Step) -> &'static str {
    match (fixity, step) {
        (Fixity::Prefix, Step::Forward) => "++_",
        (Fixity::Prefix, Step::Backward) => "--_",
        (Fixity::Postfix, Step::Forward) => "_++",
        (Fixity::Postfix, Step::Backward) => "_--",
    }
}

fn step_text(what: &str, step: Step) -> &'static str {
    match (what, step) {
        ("ptr", Step::Forward) => "ptr+",
        ("ptr", Step::Backward) => "ptr-",
        (_, Step::Forward) => "ptr+=",
        (_, Step::Backward) => "ptr-=",
    }
}
