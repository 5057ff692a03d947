//! Lowering: from the typed tree to the program representation.
//!
//! One file per construct family. Every local and parameter lives in memory here; `ir::promote` turns
//! those that allow it into SSA values afterwards. Evaluation order, where C leaves it open, is that
//! of gcc at `-O0` on x86-64: call arguments right to left, the right side of an assignment before the
//! left unless it is a call.
//!
//! What holds on exit: the program passes `ir::verify`; every undefined behavior that the IR can name
//! has a check before it; what the tree calls unsupported is an `Unsupported` instruction in its place.

mod arith;
mod assign;
mod atomic;
mod bitfield;
mod body;
mod builtin;
mod call;
mod cast;
mod checks;
mod compare;
mod decl;
mod expr;
mod float_range;
mod forgotten_member;
mod globals;
mod goto;
mod init;
mod intrinsic;
mod library;
mod logic;
mod loops;
mod marks;
mod member_pointer;
mod member_text;
mod missing_return;
mod place;
mod pointer;
mod records;
mod registers;
mod scope;
mod signature;
mod source_types;
mod stmt;
mod switch;
mod varargs;
mod vla;

use std::collections::BTreeMap;

use glassbox_ir as ir;
use glassbox_ir::{FuncId, GlobalId, SourceTypeId};
use rustc_hash::FxHashMap;

pub(crate) use signature::fits_model;

use crate::libc::Models;
use crate::linemap::SourceMap;
use crate::order::{self, Open};
use crate::span::Span;
use crate::tree;
use crate::tree::limits::Unmodeled;
use crate::ty::kind::TypeId;
use crate::ty::record::{EnumId, RecordId};

/// How deep expressions and statements may nest; beyond is unsupported. The checker refuses trees that
/// are deeper, and `front::with_deep_stack` has room for them.
const MAX_DEPTH: u32 = 20_000;
/// Whether locals stay in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promotion {
    /// Locals that need no memory become SSA values.
    Promote,
    /// The same, and the program as it was before is kept beside it.
    Both,
    /// Everything stays in memory, as first lowered: for tests and dumps.
    Keep,
}

/// A program, and where things stand in its text.
#[derive(Debug)]
pub struct Lowered {
    pub program: ir::Program,
    /// The program whose locals are all in memory, where both are wanted.
    pub unpromoted: Option<ir::Program>,
    pub places: TextPlaces,
}

/// The IR of a checked program. `models` lists the functions that are library models. Recursive: call
/// it with a deep stack.
pub fn lower(
    program: &tree::Program,
    sources: &SourceMap,
    models: &Models,
    promotion: Promotion,
) -> Lowered {
    let mut lowering = ProgramLowering::new(program, sources, models);
    lowering.declare_functions();
    lowering.declare_globals();
    lowering.lower_bodies();
    missing_return::forgive_unused_results(&mut lowering);
    lowering.mark_harnesses();
    let (mut lowered, places) = lowering.finish();
    #[cfg(debug_assertions)]
    ir::verify::assert_verified(&lowered, "lowering");
    let pointers = lowered.pointers;
    for body in lowered.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        ir::simplify_cfg::simplify_cfg(body);
    }
    let unpromoted = (promotion == Promotion::Both).then(|| lowered.clone());
    if promotion != Promotion::Keep {
        for body in lowered.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
            ir::promote::promote_locals(body, pointers);
            ir::simplify_cfg::simplify_cfg(body);
        }
    }
    #[cfg(debug_assertions)]
    ir::verify::assert_verified(&lowered, "promotion");
    Lowered { program: lowered, unpromoted, places }
}

/// Where things stand in the preprocessed text.
#[derive(Debug, Default)]
pub struct TextPlaces {
    /// Names of functions where they are defined.
    pub functions: BTreeMap<FuncId, Span>,
    /// By function, decision and number of the condition. Those whose value is used again (`a ?: b`) are not here:
    /// nothing can be put around them.
    pub conditions: BTreeMap<(FuncId, ir::DecisionId, u16), Span>,
}

/// The program being built and what tree entities became in it.
struct ProgramLowering<'t> {
    tree: &'t tree::Program,
    sources: &'t SourceMap,
    models: &'t Models,
    out: ir::Program,
    /// By tree function; present once used or defined.
    functions: Vec<Option<FuncId>>,
    /// By tree variable; present for static storage once used or defined.
    globals: Vec<Option<GlobalId>>,
    /// By string literal; equal literals share one.
    strings: Vec<Option<GlobalId>>,
    /// Variables and functions whose every use is unsupported, and why; static variables whose initial
    /// content is not known among them.
    unmodeled: Unmodeled,
    strings_by_content: FxHashMap<(u8, Box<[u8]>), GlobalId>,
    source_types: FxHashMap<TypeId, SourceTypeId>,
    records: FxHashMap<RecordId, SourceTypeId>,
    enums: FxHashMap<EnumId, SourceTypeId>,
    /// Numbers given to labels whose address is taken, as the integers that stand for them.
    label_numbers: FxHashMap<tree::LabelId, u64>,
    registers: registers::Registers,
    /// The variable behind `errno`, if the program looks at it.
    errno: Option<tree::VariableId>,
    /// What compilers may understand otherwise.
    open: Open,
    member_pointers: member_pointer::MemberPointers,
    forgotten: forgotten_member::Forgotten,
    results: missing_return::ResultUses,
    places: TextPlaces,
    last_span: (Span, ir::Span),
}

impl<'t> ProgramLowering<'t> {
    fn new(
        program: &'t tree::Program,
        sources: &'t SourceMap,
        models: &'t Models,
    ) -> ProgramLowering<'t> {
        let member_pointers = member_pointer::member_pointers(program);
        let mut out = ir::Program::new(ir::Language::C);
        out.files = sources.source_files();
        out.pointers = program.types.pointers();
        ProgramLowering {
            tree: program,
            sources,
            models,
            out,
            functions: vec![None; program.functions.len()],
            globals: vec![None; program.variables.len()],
            strings: vec![None; program.strings.len()],
            unmodeled: program.unmodeled(),
            strings_by_content: FxHashMap::default(),
            source_types: FxHashMap::default(),
            records: FxHashMap::default(),
            enums: FxHashMap::default(),
            label_numbers: FxHashMap::default(),
            registers: registers::Registers::default(),
            errno: program.variable_ids().find(|&id| {
                let variable = program.variable(id);
                variable.is_defined && program.name(variable.name) == glassbox_library::ERRNO_OBJECT
            }),
            open: order::open(program),
            forgotten: forgotten_member::forgotten(program, &member_pointers),
            member_pointers,
            results: missing_return::ResultUses::default(),
            places: TextPlaces::default(),
            last_span: (Span::default(), ir::Span::nowhere()),
        }
    }

    fn finish(mut self) -> (ir::Program, TextPlaces) {
        let tree = self.tree;
        let runs_by_itself = tree.function_ids().filter(|&id| {
            let function = tree.function(id);
            function.body.is_some() && function.around_main.is_some()
        });
        self.out.around_main =
            runs_by_itself.filter_map(|id| self.functions[id.0 as usize]).collect();
        (self.out, self.places)
    }

    /// The place of a span, remembering the last one asked for.
    fn place_of(&mut self, span: Span) -> ir::Span {
        if self.last_span.0 != span {
            let place = if span == Span::default() {
                ir::Span::nowhere()
            } else {
                self.sources.resolve(span)
            };
            self.last_span = (span, place);
        }
        self.last_span.1
    }
}
