//! Inputs: parts of arguments become parameters of the program when a rule first looks at them. What no rule looks at
//! is no input, and any value will do for it in a test.

use std::sync::Arc;

use glassbox_ir::instr::CompareOp;
use glassbox_ir::{BlockId, Instr, InstrKind, Operand, PureOp, SourceType, SourceTypeId, Span, Ty};
use glassbox_values::{Bits, Signedness};

use super::value::{Made, Tag, Val};
use super::{Lowering, enumeration};
use crate::spec::{DataKind, Spec, Type};
use crate::term::Term;

pub type NodeId = usize;

/// All parts of arguments that were looked at.
#[derive(Debug, Default)]
pub struct Inputs {
    /// One per parameter of the function, first.
    nodes: Vec<Node>,
    pub(super) params: Vec<InputParam>,
}

#[derive(Debug)]
pub(super) struct InputParam {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) source_type: SourceTypeId,
}

#[derive(Debug)]
struct Node {
    ty: Type,
    path: String,
    /// By type: how many values of it this one is inside of.
    inside: Vec<usize>,
    seen: Option<Seen>,
}

/// How a part was looked at.
#[derive(Debug)]
struct Seen {
    /// The parameter that says its value or its constructor; none for records.
    param: Option<usize>,
    /// By constructor: its parts.
    parts: Vec<Option<Vec<NodeId>>>,
    val: SeenVal,
}

#[derive(Debug, Clone)]
enum SeenVal {
    Scalar(Operand),
    Made(Arc<Made>),
}

/// An argument of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    pub term: Term,
    /// With `_` for what makes no difference.
    pub abstraction: String,
}

impl Inputs {
    /// The arguments that these values of the parameters make.
    pub fn arguments(&self, spec: &Spec, n_arguments: usize, values: &[Bits]) -> Vec<Argument> {
        (0..n_arguments).map(|node| self.argument(spec, node, values)).collect()
    }

    fn argument(&self, spec: &Spec, node: NodeId, values: &[Bits]) -> Argument {
        let Node { ty, seen, .. } = &self.nodes[node];
        let Some(seen) = seen else {
            let term = Term::smallest(spec, *ty);
            return Argument { term, abstraction: "_".to_owned() };
        };
        let value = seen.param.and_then(|param| values.get(param).copied());
        match ty {
            Type::Bool => {
                let value = value.is_some_and(|bits| !bits.is_zero());
                Argument { term: Term::Bool(value), abstraction: value.to_string() }
            }
            Type::Int(int) => {
                let number = value.map_or(0, |bits| match int.signedness {
                    Signedness::Signed => bits.signed(),
                    Signedness::Unsigned => bits.unsigned().cast_signed(),
                });
                Argument { term: Term::Int(number), abstraction: number.to_string() }
            }
            Type::Data(data) => {
                let read = value.and_then(Bits::to_u64).and_then(|it| usize::try_from(it).ok());
                let last = spec.datas[*data].constructors.len() - 1;
                let constructor = read.unwrap_or(0).min(last);
                let made = &spec.datas[*data].constructors[constructor];
                let args: Vec<Argument> = match &seen.parts[constructor] {
                    Some(parts) => {
                        parts.iter().map(|&part| self.argument(spec, part, values)).collect()
                    }
                    None => made
                        .fields
                        .iter()
                        .map(|field| Argument {
                            term: Term::smallest(spec, field.ty),
                            abstraction: "_".to_owned(),
                        })
                        .collect(),
                };
                let abstraction = abstraction(spec, *data, constructor, &args);
                let args = args.into_iter().map(|arg| arg.term).collect();
                Argument { term: Term::Make { data: *data, constructor, args }, abstraction }
            }
        }
    }
}

fn abstraction(spec: &Spec, data: usize, constructor: usize, args: &[Argument]) -> String {
    let made = &spec.datas[data].constructors[constructor];
    let parts: Vec<&str> = args.iter().map(|arg| arg.abstraction.as_str()).collect();
    match (spec.datas[data].kind, parts.as_slice()) {
        (DataKind::List(_), [head, tail]) => match tail.strip_prefix('[') {
            Some("]") => format!("[{head}]"),
            Some(rest) if !rest.starts_with('_') => format!("[{head}, {rest}"),
            Some(_) | None => format!("[{head} | {tail}]"),
        },
        (DataKind::List(_), _) => "[]".to_owned(),
        (DataKind::Record, parts) => {
            let names = made.fields.iter().map(|field| field.name.as_deref().unwrap_or_default());
            let shown = names.zip(parts).filter(|(_, part)| **part != "_");
            let shown: Vec<String> = shown.map(|(name, part)| format!("{name}: {part}")).collect();
            format!("{}{{{}}}", made.name, shown.join(", "))
        }
        (DataKind::Sum, []) => made.name.clone(),
        (DataKind::Sum, parts) => format!("{}({})", made.name, parts.join(", ")),
    }
}

impl Lowering<'_> {
    /// An argument of the function, as an input.
    pub(super) fn argument(&mut self, name: &str, ty: Type) -> Val {
        let inside = vec![0; self.spec.datas.len()];
        Val::Input(self.node(ty, name.to_owned(), inside))
    }

    fn node(&mut self, ty: Type, path: String, inside: Vec<usize>) -> NodeId {
        self.inputs.nodes.push(Node { ty, path, inside, seen: None });
        self.inputs.nodes.len() - 1
    }

    pub(super) fn input_scalar(&mut self, node: NodeId) -> Operand {
        self.see(node);
        match &self.inputs.nodes[node].seen {
            Some(Seen { val: SeenVal::Scalar(operand), .. }) => *operand,
            Some(Seen { val: SeenVal::Made(_), .. }) | None => Self::truth(false),
        }
    }

    pub(super) fn input_made(&mut self, node: NodeId) -> Arc<Made> {
        self.see(node);
        match &self.inputs.nodes[node].seen {
            Some(Seen { val: SeenVal::Made(made), .. }) => Arc::clone(made),
            Some(Seen { val: SeenVal::Scalar(_), .. }) | None => {
                Arc::new(Made { tag: Tag::Known(0), parts: vec![None], may_be_deeper: false })
            }
        }
    }

    /// Looks at a part of an argument: it becomes a parameter.
    fn see(&mut self, node: NodeId) {
        if self.inputs.nodes[node].seen.is_some() {
            return;
        }
        let ty = self.inputs.nodes[node].ty;
        let seen = match ty {
            Type::Bool => {
                let source_type = self.program.intern_source_type(SourceType::Bool);
                let (param, value) = self.param(node, Ty::I8, source_type);
                self.assume_below(value, 2, 8);
                let zero = Operand::Int(Bits::zero(8));
                let op = PureOp::Compare { op: CompareOp::Ne, lhs: value, rhs: zero };
                let truth = self.at_start(op, Ty::BOOL);
                Seen { param: Some(param), parts: Vec::new(), val: SeenVal::Scalar(truth) }
            }
            Type::Int(int) => {
                let source_type = self.program.intern_source_type(SourceType::Int {
                    name: int.name().to_owned(),
                    width: int.width,
                    signedness: int.signedness,
                    is_char: false,
                });
                let (param, value) = self.param(node, Ty::Int(int.width), source_type);
                Seen { param: Some(param), parts: Vec::new(), val: SeenVal::Scalar(value) }
            }
            Type::Data(data) => self.see_data(node, data),
        };
        self.inputs.nodes[node].seen = Some(seen);
    }

    fn see_data(&mut self, node: NodeId, data: usize) -> Seen {
        let spec = self.spec;
        let declared = &spec.datas[data];
        let n_constructors = declared.constructors.len();
        let is_deepest = self.inputs.nodes[node].inside[data] >= self.options.depth;
        let is_left_out = |constructor: usize| is_deepest && spec.is_recursive(data, constructor);
        let mut inside = self.inputs.nodes[node].inside.clone();
        inside[data] += 1;
        let mut parts: Vec<Option<Vec<NodeId>>> = Vec::new();
        for (constructor, made) in declared.constructors.iter().enumerate() {
            if is_left_out(constructor) {
                parts.push(None);
                continue;
            }
            let mut nodes = Vec::new();
            for (position, field) in made.fields.iter().enumerate() {
                let path = self.path(node, data, constructor, position);
                nodes.push(self.node(field.ty, path, inside.clone()));
            }
            parts.push(Some(nodes));
        }
        let vals = |nodes: &Option<Vec<NodeId>>| {
            nodes.as_ref().map(|nodes| nodes.iter().map(|&node| Val::Input(node)).collect())
        };
        let of_parts: Vec<Option<Vec<Val>>> = parts.iter().map(vals).collect();
        if n_constructors == 1 && !is_left_out(0) {
            let made = Made { tag: Tag::Known(0), parts: of_parts, may_be_deeper: false };
            return Seen { param: None, parts, val: SeenVal::Made(Arc::new(made)) };
        }
        let names = declared.constructors.iter().map(|made| made.name.as_str());
        let source_type = enumeration(self.program, &declared.name, names);
        let (param, value) = self.param(node, Ty::I32, source_type);
        self.assume_below(value, n_constructors, 32);
        let mut tag = value;
        let mut may_be_deeper = false;
        for constructor in (0..n_constructors).filter(|&it| is_left_out(it)) {
            may_be_deeper = true;
            let (lhs, rhs) = (value, Self::number(constructor));
            let is_it = self.at_start(PureOp::Compare { op: CompareOp::Eq, lhs, rhs }, Ty::BOOL);
            let deeper = Self::number(n_constructors);
            let op = PureOp::Select { condition: is_it, if_true: deeper, if_false: tag };
            tag = self.at_start(op, Ty::I32);
        }
        let made = Made { tag: Tag::Read(tag), parts: of_parts, may_be_deeper };
        Seen { param: Some(param), parts, val: SeenVal::Made(Arc::new(made)) }
    }

    /// What a part of a part is called: `st.frames[0].pc`.
    fn path(&self, node: NodeId, data: usize, constructor: usize, position: usize) -> String {
        let base = &self.inputs.nodes[node].path;
        let declared = &self.spec.datas[data];
        let made = &declared.constructors[constructor];
        let name = made.fields[position].name.clone().unwrap_or_else(|| position.to_string());
        match declared.kind {
            DataKind::List(_) => format!("{base}.{name}"),
            DataKind::Record => format!("{base}.{name}"),
            DataKind::Sum => format!("{base}.{}.{name}", made.name),
        }
    }

    /// A parameter of the program.
    fn param(&mut self, node: NodeId, ty: Ty, source_type: SourceTypeId) -> (usize, Operand) {
        let value = self.b.block_param(BlockId::new(0), ty);
        let name = self.inputs.nodes[node].path.clone();
        self.inputs.params.push(InputParam { name, ty, source_type });
        (self.inputs.params.len() - 1, Operand::Value(value))
    }

    /// Appends to the first block, which comes before all code.
    fn at_start(&mut self, op: PureOp, ty: Ty) -> Operand {
        let result = self.b.new_value(ty);
        let instr = Instr { result: Some(result), kind: op.into(), span: Span::nowhere() };
        self.b.body_mut().blocks[0].instrs.push(instr);
        Operand::Value(result)
    }

    /// Other numbers name no constructor.
    fn assume_below(&mut self, value: Operand, bound: usize, width: u8) {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX);
        let rhs = Operand::Int(Bits::from_u64(bound, width));
        let op = PureOp::Compare { op: CompareOp::Ult, lhs: value, rhs };
        let condition = self.at_start(op, Ty::BOOL);
        let kind = InstrKind::Assume { condition };
        let instr = Instr { result: None, kind, span: Span::nowhere() };
        self.b.body_mut().blocks[0].instrs.push(instr);
    }
}
