//! From a specification to a program: for every function one that says which of its rules applies.
//!
//! Values are taken apart into numbers. A value of a type with several constructors is the number of its constructor and
//! the parts of each; what is known while the program is made needs no instruction. Calls are expanded. So the program
//! has neither memory nor calls nor loops, and every engine can follow it.
//!
//! Inputs are taken apart only as far as rules look at them ([`input`]). Types that contain themselves are looked into
//! to a depth; deeper inputs, and deeper recursion, are left out of the runs, and [`Hits`] says that.

mod call;
mod expression;
pub mod input;
mod join;
mod questions;
mod value;

use std::sync::Arc;

use glassbox_ir::build::BodyBuilder;
use glassbox_ir::compact::compact;
use glassbox_ir::simplify_cfg::simplify_cfg;
use glassbox_ir::{
    BlockId, FileId, FileOrigin, FuncId, Function as IrFunction, InstrKind, Language, Linkage,
    Operand, Origin, Param, Passing, Program, ResultPassing, SourceFile, SourceType, SourceTypeId,
    SourceVar, Span, Terminator, Ty,
};
use glassbox_values::{Bits, Signedness};

use crate::problem::Spot;
use crate::spec::Spec;
use input::Inputs;
pub use questions::Question;

/// What the program is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Each rule, each pair that may overlap and the gap between all have a branch of their own.
    Rules,
    /// Determinism and completeness are checks.
    Properties,
}

/// How it is made.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub aim: Aim,
    /// Values of one type inside of each other, in inputs: elements of a list.
    pub depth: usize,
    /// Activations of one function inside of each other.
    pub recursion: usize,
}

/// Instructions of one function beyond which calls are no longer expanded.
const LARGEST: usize = 150_000;

/// What was left out of the runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hits {
    /// A rule looks deeper into an input.
    pub depth: bool,
    /// A function is expanded no further inside of itself.
    pub recursion: bool,
    /// Calls are expanded no further, because there are too many.
    pub size: bool,
}

/// A function of the specification as one of the program.
#[derive(Debug)]
pub struct Lowered {
    pub function: FuncId,
    pub inputs: Inputs,
    pub hits: Hits,
    /// What is asked about it, with the span of the check.
    pub questions: Vec<(Span, Question)>,
}

/// The program, and its functions in the order of the specification.
pub fn lower(spec: &Spec, path: &str, text: &str, options: &Options) -> (Program, Vec<Lowered>) {
    let mut program = Program::new(Language::Rules);
    let text = Some(Arc::from(text));
    program.files.push(SourceFile::new(path.to_owned(), FileOrigin::User, text));
    let mut all = Vec::new();
    for function in 0..spec.functions.len() {
        all.push(function_of(spec, &mut program, function, options));
    }
    (program, all)
}

fn function_of(spec: &Spec, program: &mut Program, function: usize, options: &Options) -> Lowered {
    let declared = &spec.functions[function];
    let mut b = BodyBuilder::new(&[]);
    let start = b.new_block();
    b.switch_to(start);
    let mut lowering = Lowering {
        spec,
        b,
        program,
        options,
        inputs: Inputs::default(),
        active: vec![0; spec.functions.len()],
        left_out: None,
        hits: Hits::default(),
        n_instrs: 0,
        questions: Vec::new(),
    };
    lowering.b.set_span(span_of(declared.spot));
    lowering.questions(function);
    let Lowering { mut b, inputs, hits, questions, .. } = lowering;
    b.switch_to(BlockId::new(0));
    b.jump(start, Vec::new());
    let labels = declared.rules.iter().map(|rule| rule.label.as_str()).chain([NO_RULE]);
    let result_source_type = enumeration(program, &format!("rule of {}", declared.name), labels);
    let params = inputs.params.iter().map(|param| Param {
        name: param.name.clone(),
        ty: param.ty,
        source_type: param.source_type,
        passing: Passing::Direct,
    });
    let params: Vec<Param> = params.collect();
    for (position, param) in (0u32..).zip(&params) {
        b.new_var(SourceVar {
            name: param.name.clone(),
            source_type: param.source_type,
            param: Some(position),
            local: None,
            span: span_of(declared.spot),
        });
    }
    let mut body = b.finish();
    simplify_cfg(&mut body);
    compact(&mut body);
    let id = FuncId::new(program.functions.len());
    program.functions.push(IrFunction {
        name: declared.name.clone(),
        linkage: Linkage::External,
        origin: Origin::User,
        params,
        result: ResultPassing::Direct(Ty::I32),
        result_source_type,
        is_variadic: false,
        is_noreturn: false,
        method: None,
        body: Some(body),
        span: span_of(declared.spot),
    });
    Lowered { function: id, inputs, hits, questions }
}

/// What the result is called where no rule applies.
pub const NO_RULE: &str = "no rule";

/// A type of numbers with names.
fn enumeration<'n>(
    program: &mut Program,
    name: &str,
    constants: impl Iterator<Item = &'n str>,
) -> SourceTypeId {
    let constants = (0..)
        .zip(constants)
        .map(|(value, name)| glassbox_ir::EnumConstant { name: name.to_owned(), value });
    program.intern_source_type(SourceType::Enum {
        name: Some(name.to_owned()),
        width: 32,
        signedness: Signedness::Unsigned,
        constants: constants.collect(),
    })
}

fn span_of(spot: Spot) -> Span {
    let Spot { line, column, end_line, end_column } = spot;
    Span::new(FileId::new(0), line, column, end_line, end_column)
}

/// One function under construction.
struct Lowering<'a> {
    spec: &'a Spec,
    b: BodyBuilder,
    program: &'a mut Program,
    options: &'a Options,
    inputs: Inputs,
    /// By function: activations inside of each other.
    active: Vec<usize>,
    /// Where runs go that are left out.
    left_out: Option<BlockId>,
    hits: Hits,
    n_instrs: usize,
    questions: Vec<(Span, Question)>,
}

impl Lowering<'_> {
    fn number(value: usize) -> Operand {
        let value = u64::try_from(value).unwrap_or(u64::MAX);
        Operand::Int(Bits::from_u64(value, 32))
    }

    fn truth(value: bool) -> Operand {
        Operand::Int(Bits::from_bool(value))
    }

    /// Ends the block: goes one way or the other. Constants decide at once.
    fn branch(&mut self, condition: Operand, if_true: BlockId, if_false: BlockId) {
        match condition {
            Operand::Int(bits) => {
                let to = if bits.is_true() { if_true } else { if_false };
                self.b.jump(to, Vec::new());
            }
            Operand::Value(_)
            | Operand::Float(_)
            | Operand::NullPtr
            | Operand::Global(_)
            | Operand::Func(_) => {
                let target = glassbox_ir::Target::new;
                self.b.terminate(Terminator::Branch {
                    condition,
                    if_true: target(if_true),
                    if_false: target(if_false),
                    origin: None,
                });
            }
        }
    }

    /// The block of runs that are left out.
    fn left_out(&mut self) -> BlockId {
        if let Some(block) = self.left_out {
            return block;
        }
        let here = self.b.current();
        let block = self.b.new_block();
        self.b.switch_to(block);
        self.b.push(InstrKind::Assume { condition: Self::truth(false) });
        self.b.terminate(Terminator::Unreachable);
        self.b.switch_to(here);
        self.left_out = Some(block);
        block
    }
}
