//! Undefined functions that tests define as stubs: their results are inputs, and so is what they write
//! behind pointers.
//!
//! A stub writes the object that an argument points to, or the rest of the array if it points into one, as
//! far as `Config::max_length`; nothing behind pointers that the path has not looked at (that memory is an
//! input anyway), behind pointers to const, to incomplete types and to large objects, nor behind arguments that the declaration
//! does not speak of. Whatever else a real function may change is among the bounds: where it could be what an argument points to,
//! the bound is that nothing is changed.

use std::collections::BTreeMap;

use glassbox_ir::{
    Body, FileOrigin, FuncId, Operand, ResultPassing, Shape, SourceType, SourceTypeId, Terminator,
    Ty, ValueId,
};
use glassbox_testcase::Assumption;
use glassbox_testcase::image::size_of;

use super::{Executor, PathEnd, Stop, stop};
use crate::config::StubWrites;
use crate::inputs::{StubInput, StubMemory, StubValue};
use crate::leaf::leaf_at;
use crate::memory::table::end_of;
use crate::memory::{Cell, CellValue, ObjectKind, ObjectState};
use crate::value::{KnownPlace, SymPtr, SymValue};

/// Bytes that one call writes behind one pointer at most.
const MAX_BYTES: u64 = 512;

impl Executor<'_> {
    pub(crate) fn call_stub(
        &mut self,
        function: FuncId,
        args: &[SymValue],
        result: Option<ValueId>,
    ) -> Result<(), Stop> {
        let declared = self.program.function(function);
        let name = declared.name.as_str();
        if declared.is_noreturn {
            let (result, writes) = (None, Vec::new());
            self.inputs.stubs.push(StubInput { function, result, writes, ends: true });
            return stop(PathEnd::Exited(self.terms.bv_u(0, 32)));
        }
        self.note_given_away(args);
        // Functions that stand for inputs promise to change nothing.
        let is_input = glassbox_library::is_input(name);
        if !is_input {
            self.inputs.note_bound(match self.config.stub_writes {
                StubWrites::Nothing => Assumption::UndefinedFunctionsChangeNothing,
                StubWrites::Pointees => Assumption::UndefinedFunctionsChangeOnlyPointees,
            });
        }
        let writes = if is_input || self.config.stub_writes == StubWrites::Nothing {
            Vec::new()
        } else {
            self.stub_writes(function, args)?
        };
        let source_type = declared.result_source_type;
        let value = match declared.result {
            ResultPassing::Void => None,
            ResultPassing::Indirect => {
                let Some(&SymValue::Ptr(SymPtr::Object { object, offset })) = args.first() else {
                    return self.unsupported(format!("the result of undefined `{name}`"));
                };
                let offset = self.fix_offset(offset)?;
                let label = format!("{name}()");
                let memory = self.fill(KnownPlace { object, offset }, source_type, 1, &label)?;
                Some(StubValue::Record(memory))
            }
            ResultPassing::Direct(ty) => {
                let value = self.scalar_input(&format!("{name}()"), source_type, ty);
                if let (Some(most), SymValue::Term(term), Ty::Int(32..)) =
                    (most_of(name), value, ty)
                {
                    let most = self.terms.bv_u(most.into(), self.terms.width(term));
                    let is_possible = self.terms.bv_ule(term, most);
                    self.assume(is_possible)?;
                }
                self.assume_count(function, args, value)?;
                self.set(result, value);
                Some(StubValue::Scalar(value, source_type))
            }
        };
        let is_cut = self.cuts_here();
        self.inputs.stubs.push(StubInput { function, result: value, writes, ends: is_cut });
        if is_cut { stop(PathEnd::Cut) } else { Ok(()) }
    }

    /// What the system promises of a number that it gives: `read` gives no more than was asked for.
    fn assume_count(
        &mut self,
        function: FuncId,
        args: &[SymValue],
        value: SymValue,
    ) -> Result<(), Stop> {
        let declared = self.program.function(function);
        let file = self.program.files.get(declared.span.file.index());
        let is_system = file.is_some_and(|file| file.origin == FileOrigin::System);
        let known = glassbox_library::find(&declared.name).filter(|_| is_system);
        let asked = known.and_then(|known| args.get(usize::from(known.row.count_up_to?)).copied());
        let (Some(SymValue::Term(asked)), SymValue::Term(count)) = (asked, value) else {
            return Ok(());
        };
        if self.terms.width(asked) != self.terms.width(count) {
            return Ok(());
        }
        let failure = self.terms.bv_s(-1, self.terms.width(count));
        let is_failure = self.terms.eq(count, failure);
        let is_count = self.terms.bv_ule(count, asked);
        let is_possible = self.terms.or2(is_failure, is_count);
        self.assume(is_possible)
    }

    /// Whether this call of an undefined function ends a run that would not end by itself: as many calls as memory
    /// may have elements were made, and a function that never returns is under way.
    fn cuts_here(&self) -> bool {
        let n_calls = self.inputs.stubs.len() as u64 + 1;
        self.config.stubs_end_runs
            && n_calls >= self.config.max_length
            && self.frames.iter().any(|frame| never_returns(self.program.body(frame.function)))
    }

    /// Fills what the arguments point to.
    fn stub_writes(
        &mut self,
        function: FuncId,
        args: &[SymValue],
    ) -> Result<Vec<(usize, StubMemory)>, Stop> {
        let declared = self.program.function(function);
        let n_hidden = usize::from(declared.result == ResultPassing::Indirect);
        let mut writes = Vec::new();
        // Variable arguments, and those of functions without a prototype.
        let more = args.get(declared.params.len()..).unwrap_or_default();
        let mut is_left_out = more.iter().any(|&arg| self.is_changeable(arg));
        let params = declared.params.iter().zip(args).skip(n_hidden);
        for (position, (param, &arg)) in params.enumerate() {
            let resolved = self.program.resolve_source_type(param.source_type);
            let SourceType::Pointer { target, is_const: false } =
                self.program.source_type(resolved)
            else {
                continue;
            };
            let at = self.known_place(arg);
            let Some((at, (element, length))) =
                at.and_then(|at| Some((at, self.extent(at, *target)?)))
            else {
                is_left_out |= self.is_changeable(arg);
                continue;
            };
            let given =
                if param.name.is_empty() { format!("{position}") } else { param.name.clone() };
            let label = format!("{}.{given}", declared.name);
            let memory = self.fill(at, element, length, &label)?;
            writes.push((position, memory));
        }
        if is_left_out {
            self.inputs.note_bound(Assumption::UndefinedFunctionsChangeNothing);
        }
        Ok(writes)
    }

    /// Whether a function that gets the value may change an object that the path knows.
    fn is_changeable(&self, value: SymValue) -> bool {
        let ptr = match value {
            SymValue::Ptr(SymPtr::Input(id)) => self.inputs.pointers[id.0 as usize].resolution,
            SymValue::Ptr(ptr) => Some(ptr),
            SymValue::Term(_) => None,
        };
        let Some(SymPtr::Object { object, .. }) = ptr else { return false };
        let entry = self.memory.object(object);
        entry.state == ObjectState::Live && !entry.is_const
    }

    /// The object and the offset, if both are known and the object can be written.
    fn known_place(&self, value: SymValue) -> Option<KnownPlace> {
        let ptr = match value {
            SymValue::Ptr(SymPtr::Input(id)) => self.inputs.pointers[id.0 as usize].resolution?,
            SymValue::Ptr(ptr) => ptr,
            SymValue::Term(_) => return None,
        };
        let SymPtr::Object { object, offset } = ptr else { return None };
        let offset = self.known_offset(offset)?;
        let entry = self.memory.object(object);
        (entry.state == ObjectState::Live && !entry.is_const)
            .then_some(KnownPlace { object, offset })
    }

    /// What lies behind a pointer to `target`: elements of a type, and how many.
    fn extent(
        &self,
        KnownPlace { object, offset }: KnownPlace,
        target: SourceTypeId,
    ) -> Option<(SourceTypeId, u64)> {
        let program = self.program;
        let entry = self.memory.object(object);
        let offset = u64::try_from(offset).ok()?;
        let size = self.known(entry.size);
        let declared = match entry.kind {
            ObjectKind::Local(function, local) => {
                Some(program.body(function).local(local).source_type)
            }
            ObjectKind::Global(global) => Some(program.global(global).source_type),
            ObjectKind::Input { element, .. } => Some(element),
            ObjectKind::Stack
            | ObjectKind::Heap
            | ObjectKind::Instance { .. }
            | ObjectKind::VarArgs
            | ObjectKind::Stream => None,
        };
        let is_void = program.shape(target) == Shape::Void;
        let (element, length) = match declared {
            Some(ty) if is_void => (offset == 0).then(|| self.elements(ty))?,
            Some(ty) => (target, self.rest_of_array(ty, offset, target)),
            None => {
                let left = size?.checked_sub(offset)?;
                (target, left / size_of(program, target).max(1))
            }
        };
        let is_whole = match program.shape(element) {
            // No test can say where a `va_list` is.
            Shape::Record { fields, .. } => fields.is_some() && !program.is_va_list_tag(element),
            Shape::Void => is_void,
            Shape::Function | Shape::Opaque { .. } | Shape::Reference => false,
            Shape::Number(_) | Shape::Pointer { .. } | Shape::Array { .. } => true,
        };
        let length = length.min(self.config.max_length);
        let n_bytes = size_of(program, element).checked_mul(length)?;
        // Memory behind an input pointer has at least one element, and that is at its start.
        let fits = match size {
            Some(size) => offset.checked_add(n_bytes)? <= size,
            None => offset == 0 && length == 1,
        };
        (is_whole && fits && length > 0 && n_bytes <= MAX_BYTES).then_some((element, length))
    }

    /// An array as its elements, anything else as one.
    fn elements(&self, ty: SourceTypeId) -> (SourceTypeId, u64) {
        let resolved = self.program.resolve_source_type(ty);
        if let SourceType::Array { element, length: Some(length) } =
            self.program.source_type(resolved)
        {
            (*element, *length)
        } else {
            (ty, 1)
        }
    }

    /// How many elements of type `target` follow at `offset` of a `ty`: the rest of an array, or one.
    fn rest_of_array(&self, ty: SourceTypeId, offset: u64, target: SourceTypeId) -> u64 {
        let program = self.program;
        let ty = program.source_type(program.resolve_source_type(ty));
        if let SourceType::Array { element, length: Some(length) } = ty {
            let size = size_of(program, *element).max(1);
            if program.is_same_type(*element, target) && offset.is_multiple_of(size) {
                return length.saturating_sub(offset / size);
            }
            return self.rest_of_array(*element, offset % size, target);
        }
        let SourceType::Record { fields: Some(fields), .. } = ty else { return 1 };
        let holds = |field: &&glassbox_ir::RecordField| {
            field.offset <= offset && offset < field.offset + size_of(program, field.ty)
        };
        let field = fields.iter().find(holds);
        field.map_or(1, |field| self.rest_of_array(field.ty, offset - field.offset, target))
    }

    /// Writes inputs over memory, one for each scalar of the elements.
    fn fill(
        &mut self,
        place: KnownPlace,
        element: SourceTypeId,
        length: u64,
        label: &str,
    ) -> Result<StubMemory, Stop> {
        let size = size_of(self.program, element).max(1);
        let mut cells = Vec::new();
        let mut at = 0;
        while at < size * length {
            let base = at / size * size;
            let leaf =
                leaf_at(self.program, element, at % size, base.cast_signed(), &BTreeMap::new());
            let index = if length > 1 { format!("[{}]", at / size) } else { String::new() };
            let name = format!("{label}{index}{}", leaf.path);
            let start = base + leaf.offset;
            let value = self.inputs.new_leaf(self.terms, &name, leaf.kind, leaf.size);
            let written = match value {
                CellValue::Term(term) => SymValue::Term(term),
                CellValue::Ptr(ptr) => SymValue::Ptr(ptr),
            };
            self.store_at(place.object, end_of(place.offset, start), leaf.size, written)?;
            cells.push((start, Cell { size: leaf.size, value }));
            at = start + leaf.size;
        }
        Ok(StubMemory { element, length, cells })
    }
}

/// The largest number that a function of the library gives that is an input.
fn most_of(name: &str) -> Option<u64> {
    glassbox_library::find(name)?.row.input_most
}

/// Whether no way through a function leads to a return, whatever its branches depend on: `while (1)`.
fn never_returns(body: &Body) -> bool {
    let mut is_seen = vec![false; body.blocks.len()];
    let mut stack = vec![Body::ENTRY];
    while let Some(block) = stack.pop() {
        if std::mem::replace(&mut is_seen[block], true) {
            continue;
        }
        match &body.blocks[block].terminator {
            Terminator::Return(_) => return false,
            Terminator::Branch { condition: Operand::Int(known), if_true, if_false, .. } => {
                let taken = if known.is_zero() { if_false } else { if_true };
                stack.push(taken.block.index());
            }
            other @ (Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Unreachable) => {
                stack.extend(other.targets().iter().map(|target| target.block.index()));
            }
        }
    }
    true
}
