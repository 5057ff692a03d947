//! Setting up the function under test: parameters and globals.

use std::collections::BTreeMap;

use glassbox_ir::{FuncId, GlobalId, GlobalKind, Linkage, Passing, SourceType, SourceTypeId, Ty};
use glassbox_ir::{Initializer, RelocationTarget, ResultPassing};
use glassbox_terms::Sort;
use glassbox_testcase::Assumption;
use glassbox_testcase::image::size_of;
use glassbox_values::Bits;

use super::{Executor, Stop};
use crate::inputs::{ParamInput, ParamValue};
use crate::memory::{Cell, CellValue, Contents, ObjectKind};
use crate::notation::notation;
use crate::value::{ObjectId, SymPtr, SymValue};

impl Executor<'_> {
    /// Pushes the frame of the function under test, its parameters being inputs.
    pub(crate) fn start(&mut self, function: FuncId) -> Result<(), Stop> {
        self.n_calls += 1;
        self.own_arguments.clear();
        let declared = self.program.function(function);
        let mut args = Vec::new();
        let is_indirect = declared.result == ResultPassing::Indirect;
        for (position, param) in declared.params.iter().enumerate() {
            if position == 0 && is_indirect {
                let size = size_of(self.program, declared.result_source_type);
                let object = self.new_object(ObjectKind::Stack, "result", size);
                args.push(SymValue::Ptr(self.start_of(object)));
                continue;
            }
            let (value, input) = match param.passing {
                Passing::Direct => {
                    let value = self.scalar_input(&param.name, param.source_type, param.ty);
                    (value, ParamValue::Scalar(value))
                }
                Passing::Indirect => {
                    let object = self.record_input(&param.name, param.source_type);
                    let pointer = self.start_of(object);
                    (SymValue::Ptr(pointer), ParamValue::Record(object))
                }
            };
            args.push(value);
            self.inputs.params.push(ParamInput {
                name: param.name.clone(),
                source_type: param.source_type,
                value: input,
            });
        }
        self.push_frame(function, &args, &[], None)?;
        // A method is called on an object, whether it looks at it or not.
        if let Some(&SymValue::Ptr(this @ SymPtr::Input(_))) = args.first()
            && declared.method.is_some()
            && declared.params[0].name == "this"
        {
            self.resolve(this)?;
        }
        Ok(())
    }

    /// A scalar that is an input: a variable, or a pointer not looked at yet.
    pub(crate) fn scalar_input(&mut self, name: &str, source: SourceTypeId, ty: Ty) -> SymValue {
        let resolved = self.program.resolve_source_type(source);
        match (ty, self.program.source_type(resolved)) {
            (Ty::Ptr, SourceType::Pointer { target, .. }) => {
                SymValue::Ptr(self.inputs.pointer(name, *target))
            }
            (Ty::Ptr, _) => SymValue::Ptr(self.inputs.pointer(name, resolved)),
            (Ty::Int(1), _) => SymValue::Term(self.inputs.variable(self.terms, name, Sort::Bool)),
            // `_Bool` is stored as 0 or 1 only.
            (Ty::Int(width), SourceType::Bool) => {
                let truth = self.inputs.variable(self.terms, name, Sort::Bool);
                SymValue::Term(self.terms.bv_from_bool(truth, width))
            }
            (Ty::Int(width), _) => {
                let variable = self.inputs.variable(self.terms, name, Sort::Bv(width));
                self.terms.set_notation(variable, notation(self.program, resolved));
                SymValue::Term(variable)
            }
            (Ty::Float(format), _) => {
                SymValue::Term(self.inputs.variable(self.terms, name, Sort::Float(format)))
            }
        }
    }

    fn record_input(&mut self, name: &str, ty: SourceTypeId) -> ObjectId {
        let size = size_of(self.program, ty);
        let object = self.new_object(ObjectKind::Stack, name, size);
        self.memory.object_mut(object).contents = Contents::Input(ty);
        object
    }

    /// A live object of known size with indeterminate contents.
    pub(crate) fn new_object(&mut self, kind: ObjectKind, name: &str, size: u64) -> ObjectId {
        let size = self.terms.bv_u(size.into(), 64);
        self.sized_object(kind, name, size)
    }

    /// The address of a global.
    pub(crate) fn global_pointer(&mut self, global: GlobalId) -> SymPtr {
        let object = self.global_object(global);
        self.start_of(object)
    }

    /// The object of a global, which comes into being when first mentioned.
    fn global_object(&mut self, global: GlobalId) -> ObjectId {
        if let Some(&object) = self.globals.get(&global) {
            return object;
        }
        self.declare_global(global)
    }

    /// An object without contents, which it gets when it is used.
    fn declare_global(&mut self, global: GlobalId) -> ObjectId {
        let declared = self.program.global(global);
        let name = glassbox_library::shown_name(&declared.name);
        let object = self.new_object(ObjectKind::Global(global), name, declared.size);
        self.memory.object_mut(object).is_const = declared.is_const;
        self.globals.insert(global, object);
        self.unfilled.insert(object, global);
        object
    }

    /// Gives an object that is about to be used its contents; what these refer to is declared.
    pub(crate) fn fill_declared(&mut self, object: ObjectId) {
        if let Some(global) = self.unfilled.remove(&object) {
            self.fill_global(global, object);
        }
    }

    /// `errno`, where the program has it.
    fn errno(&self) -> Option<GlobalId> {
        *self.errno.get_or_init(|| crate::library::errno(self.program))
    }

    fn fill_global(&mut self, global: GlobalId, object: ObjectId) {
        let declared = self.program.global(global);
        // Static locals and literals cannot be set from outside: they start as written.
        // State of library models belongs to the models, but `errno` is what callers left there.
        let is_named = declared.linkage == Linkage::External
            || self.config.own_file.is_none_or(|file| file == declared.span.file);
        let is_settable =
            (declared.kind.is_accessible() && is_named) || self.errno() == Some(global);
        let is_input = self.config.globals_are_inputs && is_settable && !declared.is_const;
        let is_elsewhere = declared.initializer.is_none() && declared.kind.is_own();
        if is_input || is_elsewhere {
            self.memory.object_mut(object).contents = Contents::Input(declared.source_type);
            return;
        }
        if declared.kind == GlobalKind::Variable && !declared.is_const && !is_named {
            self.inputs.note_bound(Assumption::OtherFilesAsInitialized);
        }
        if let GlobalKind::StaticLocal(function) = declared.kind
            && !declared.is_const
            && !crate::library::depends_on_locale(self.program, function)
        {
            self.inputs.note_bound(Assumption::StaticLocalsAsInitialized);
        }
        self.memory.object_mut(object).contents = Contents::Zeros;
        if let Some(initializer) = &declared.initializer {
            self.write_initializer(object, declared.source_type, initializer);
        }
    }

    /// Initial bytes as cells shaped by the type, so that later reads find whole scalars.
    fn write_initializer(&mut self, object: ObjectId, ty: SourceTypeId, initializer: &Initializer) {
        for relocation in &initializer.relocations {
            let pointer = match relocation.target {
                RelocationTarget::Func(function) => SymPtr::Func(function),
                RelocationTarget::Global(target) => {
                    let object = self.global_object(target);
                    let offset = self.terms.bv_s(relocation.addend.into(), 64);
                    SymPtr::Object { object, offset }
                }
            };
            let size = self.program.pointers.bytes();
            let cell = Cell { size, value: CellValue::Ptr(pointer) };
            self.memory.object_mut(object).cells.insert(relocation.offset.cast_signed(), cell);
        }
        let mut pointers: Vec<u64> = initializer.relocations.iter().map(|it| it.offset).collect();
        pointers.sort_unstable();
        let mut at = 0;
        let n_bytes = initializer.bytes.len() as u64;
        let whole = size_of(self.program, ty);
        while at < n_bytes {
            let leaf =
                crate::leaf::leaf_at(self.program, ty, at % whole.max(1), 0, &BTreeMap::new());
            let is_aligned = leaf.offset == at && at + leaf.size <= n_bytes;
            let size = if is_aligned { leaf.size } else { 1 };
            let bytes = &initializer.bytes[at as usize..(at + size) as usize];
            let next =
                pointers.partition_point(|offset| offset + self.program.pointers.bytes() <= at);
            let is_pointer = pointers.get(next).is_some_and(|&offset| offset < at + size);
            if !is_pointer && bytes.iter().any(|&byte| byte != 0) {
                let term = self.terms.bv_const(Bits::from_le_bytes(bytes));
                let cell = Cell { size, value: CellValue::Term(term) };
                self.memory.object_mut(object).cells.insert(at.cast_signed(), cell);
            }
            at += size;
        }
    }
}
