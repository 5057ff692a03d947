//! Functions of the run-time system: dispatch, class initialization, array stores, nested arrays.

use std::collections::BTreeSet;

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp};
use glassbox_ir::object_layout::{ARRAY_LENGTH, CONTENTS};
use glassbox_ir::{FuncId, GlobalId, Operand, Span, SwitchCase, Target, Terminator, Ty};
use glassbox_values::Bits;

use super::Beginnings;
use super::array::{array_size, scale};
use super::context::Lowering;
use super::emit::{Emit, int, long, number, zero};
use super::origin::GUARD;
use crate::classpath::Owner;
use crate::descriptor::{Kind, Signature, Type};
use crate::library::{self, Model, Thrower};
use crate::reach::{Properties, SiteKey, Source};
use crate::world::{FieldRef, MethodRef, Shape, TypeRef};

impl Lowering {
    /// The function that a virtual call goes to; `None` when no object can receive it.
    pub(super) fn dispatcher(&mut self, key: &SiteKey) -> Option<FuncId> {
        let site = self.reached.site(key)?;
        if let Some(&known) = self.dispatchers.get(&site) {
            return Some(known);
        }
        let targets = self.reached.sites[site].1.targets.clone();
        let (_, first) = *targets.first()?;
        if targets.iter().all(|(_, method)| *method == first) {
            return self.function(first);
        }
        let signature = Signature::parse(&key.descriptor)?;
        let class = self.reached.world.info(key.class).dotted_name();
        let name = format!("dispatch {class}.{}{}", key.name, key.descriptor);
        let receiver = Type::Ref(std::rc::Rc::clone(self.reached.world.name(key.class)));
        let mut params = vec![("this".to_owned(), receiver)];
        for (position, ty) in signature.params.iter().enumerate() {
            params.push((format!("p{position}"), ty.clone()));
        }
        let types: Vec<Ty> = params.iter().map(|(_, ty)| ty.ty()).collect();
        let function = self.declare(name, params, signature.result.as_ref(), None, Span::nowhere());
        self.dispatchers.insert(site, function);
        let body = self.dispatch_body(&targets, &types, signature.result.as_ref());
        self.set_body(function, body);
        Some(function)
    }

    fn dispatch_body(
        &mut self,
        targets: &[(TypeRef, MethodRef)],
        types: &[Ty],
        result: Option<&Type>,
    ) -> glassbox_ir::Body {
        let mut emit = Emit::new(types);
        let this = emit.param(0);
        let class = emit.class_number(this);
        let args: Vec<Operand> = (0..types.len()).map(|index| emit.param(index)).collect();
        let mut by_number: Vec<(u32, MethodRef)> =
            targets.iter().map(|&(ty, method)| (self.layouts.number(ty), method)).collect();
        by_number.sort_unstable();
        let mut blocks: Vec<(MethodRef, glassbox_ir::BlockId)> = Vec::new();
        let mut cases = Vec::new();
        for (class_number, method) in by_number {
            let known = blocks.iter().find(|(known, _)| *known == method).map(|(_, block)| *block);
            let block = known.unwrap_or_else(|| {
                let block = emit.new_block();
                blocks.push((method, block));
                block
            });
            let bits = Bits::new(class_number.into(), 32);
            let (target, span) = (Target::new(block), Span::nowhere());
            cases.push(SwitchCase { low: bits, high: bits, target, span });
        }
        let no_class = emit.new_block();
        let default = Target::new(no_class);
        emit.builder.terminate(Terminator::Switch { value: class, cases, default });
        for (method, block) in blocks {
            emit.switch_to(block);
            let ty = result.map(|ty| ty.ty());
            let value = match self.function(method) {
                Some(function) => emit.call(function, args.clone(), ty),
                None => emit.unsupported("a method that is not there", ty),
            };
            emit.ret(value);
        }
        emit.switch_to(no_class);
        emit.unsupported("an object of a class that the analysis did not expect", None);
        emit.ret(result.map(|ty| zero(ty.ty())));
        emit.builder.finish()
    }

    /// The function that initializes a class once, and its state: 0 not yet, 1 being done, 2 done, 3
    /// failed. `None` when nothing has to be run.
    pub(super) fn guard(&mut self, class: TypeRef) -> Option<(FuncId, GlobalId)> {
        if let Some(known) = self.guards.get(&class) {
            return *known;
        }
        let world = &self.reached.world;
        let before = world.initialized_before(class);
        let initializer = world.initializer(class);
        let initializer = initializer.and_then(|method| self.function(method));
        let mut above: Vec<(FuncId, GlobalId)> = Vec::new();
        for other in before {
            let guard = self.guard(other);
            above.extend(guard.filter(|guard| !above.contains(guard)));
        }
        if initializer.is_none() && above.len() < 2 {
            // Initializing it means initializing what is above.
            let above = above.pop();
            self.guards.insert(class, above);
            return above;
        }
        let name = self.reached.world.info(class).dotted_name();
        let state = self.runtime_cell(&format!("state of {name}"), Kind::Int);
        let guard = self.declare_made(format!("{GUARD}{name}"), "()V");
        self.guards.insert(class, Some((guard, state)));
        let has_properties = self.reached.options.properties != Properties::None;
        let label =
            has_properties.then(|| self.runtime_cell(&format!("error of {name}"), Kind::Int));
        let body = self.guard_body(state, label, initializer, &above);
        self.set_body(guard, body);
        Some((guard, state))
    }

    fn guard_body(
        &mut self,
        state: GlobalId,
        label: Option<GlobalId>,
        initializer: Option<FuncId>,
        above: &[(FuncId, GlobalId)],
    ) -> glassbox_ir::Body {
        let pending = self.pending;
        let mut emit = Emit::new(&[]);
        let (start, done) = (emit.new_block(), emit.new_block());
        let (failed_before, leave) = (emit.new_block(), emit.new_block());
        let before = emit.load_global(Ty::I32, state);
        let bits = |value: u128| Bits::new(value, 32);
        let case = |value: u128, block| SwitchCase {
            low: bits(value),
            high: bits(value),
            target: Target::new(block),
            span: Span::nowhere(),
        };
        emit.builder.terminate(Terminator::Switch {
            value: before,
            cases: vec![case(0, start), case(3, failed_before)],
            default: Target::new(leave),
        });
        emit.switch_to(leave);
        emit.ret(None);
        emit.switch_to(failed_before);
        if let Some(thrower) = self.thrower(Thrower::NoClassDef) {
            emit.call(thrower, Vec::new(), None);
            self.recall_label(&mut emit, label);
        }
        emit.ret(None);

        emit.switch_to(start);
        emit.store_global(state, int(1));
        let failed = emit.new_block();
        for function in above.iter().map(|(guard, _)| *guard).chain(initializer) {
            emit.call(function, Vec::new(), None);
            let exception = emit.load_global(Ty::Ptr, pending);
            let is_fine = emit.is_null(exception);
            let next = emit.new_block();
            emit.branch(is_fine, next, failed, None);
            emit.switch_to(next);
        }
        emit.jump(done);
        emit.switch_to(failed);
        emit.store_global(state, int(3));
        let exception = emit.load_global(Ty::Ptr, pending);
        emit.store_global(pending, Operand::NullPtr);
        if let Some(thrower) = self.thrower(Thrower::InitializerFailed) {
            emit.call(thrower, vec![exception], None);
            self.keep_label(&mut emit, exception, label);
        }
        emit.ret(None);
        emit.switch_to(done);
        emit.store_global(state, int(2));
        emit.ret(None);
        emit.builder.finish()
    }

    /// Array types with elements that not every object may be.
    fn picky_arrays(&self) -> Vec<(u32, TypeRef)> {
        let world = &self.reached.world;
        let mut picky = Vec::new();
        for &(number, ty) in self.layouts.instantiated() {
            if let Shape::Array(Type::Ref(element)) = &world.info(ty).shape
                && let Some(element) = world.known(element)
                && !self.layouts.is_everything(world, element)
            {
                picky.push((number, element));
            }
        }
        picky
    }

    pub(super) fn all_storable(&self) -> bool {
        self.picky_arrays().is_empty()
    }

    /// Whether a reference may be stored in an array.
    pub(super) fn storable(&mut self) -> FuncId {
        if let Some(function) = self.storable {
            return function;
        }
        let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
        let function = self.declare_made("glassbox.storable".to_owned(), descriptor);
        self.storable = Some(function);
        let mut emit = Emit::new(&[Ty::Ptr, Ty::Ptr]);
        let (array, value) = (emit.param(0), emit.param(1));
        let (look, yes) = (emit.new_block(), emit.new_block());
        let is_null = emit.is_null(value);
        emit.branch(is_null, yes, look, None);
        emit.switch_to(yes);
        emit.ret(Some(Operand::Int(Bits::new(1, 1))));
        emit.switch_to(look);
        let array_class = emit.class_number(array);
        let value_class = emit.class_number(value);
        let mut cases = Vec::new();
        for (class, element) in self.picky_arrays() {
            let block = emit.new_block();
            let bits = Bits::new(class.into(), 32);
            let (target, span) = (Target::new(block), Span::nowhere());
            cases.push(SwitchCase { low: bits, high: bits, target, span });
            let before = emit.builder.current();
            emit.switch_to(block);
            let ranges = self.subtypes(element);
            let fits = emit.in_ranges(value_class, &ranges);
            emit.ret(Some(fits));
            emit.switch_to(before);
        }
        let default = Target::new(yes);
        emit.builder.terminate(Terminator::Switch { value: array_class, cases, default });
        self.set_body(function, emit.builder.finish());
        function
    }

    /// Makes an array of arrays with these lengths, none negative; null when memory runs out.
    pub(super) fn multi_array(&mut self, ty: TypeRef, n_dimensions: u8) -> FuncId {
        if let Some(&known) = self.multi_arrays.get(&(ty, n_dimensions)) {
            return known;
        }
        let lengths = "I".repeat(usize::from(n_dimensions));
        let name = format!("glassbox.new {} {n_dimensions}", self.reached.world.name(ty));
        let descriptor = format!("({lengths})Ljava/lang/Object;");
        let function = self.declare_made(name, &descriptor);
        self.multi_arrays.insert((ty, n_dimensions), function);
        let mut emit = Emit::new(&vec![Ty::I32; usize::from(n_dimensions)]);
        let length = emit.param(0);
        let element = match self.reached.world.info(ty).shape.clone() {
            Shape::Array(element) => element,
            Shape::Class(_) => Type::Ref("java/lang/Object".into()),
        };
        let size = array_size(&mut emit, length, element.size());
        let array = emit.allocate(size);
        let (full, start) = (emit.new_block(), emit.new_block());
        let is_null = emit.is_null(array);
        emit.branch(is_null, full, start, None);
        emit.switch_to(full);
        emit.ret(Some(Operand::NullPtr));
        emit.switch_to(start);
        emit.store(array, 0, number(self.layouts.number(ty)));
        emit.store(array, ARRAY_LENGTH, length);
        let inner = match &element {
            Type::Ref(name) if n_dimensions > 1 => self.reached.world.known(name),
            Type::Ref(_) | Type::Prim(_) => None,
        };
        if let Some(inner) = inner {
            let maker = self.multi_array(inner, n_dimensions - 1);
            let rest: Vec<Operand> =
                (1..usize::from(n_dimensions)).map(|index| emit.param(index)).collect();
            let (head, body, end) = (emit.new_block(), emit.new_block(), emit.new_block());
            let index = Operand::Value(emit.builder.block_param(head, Ty::I32));
            emit.builder.jump(head, vec![int(0)]);
            emit.switch_to(head);
            let goes_on = emit.compare(CompareOp::Slt, index, length);
            emit.branch(goes_on, body, end, None);
            emit.switch_to(body);
            let part = emit.call(maker, rest, Some(Ty::Ptr)).expect("a reference");
            let wide = emit.cast(CastOp::SignExtend, index, Ty::I64);
            let offset = scale(&mut emit, wide, 8);
            let elements = emit.at(array, CONTENTS);
            let place = emit.at_dynamic(elements, offset);
            emit.store(place, 0, part);
            let next = emit.binary(BinaryOp::Add, index, int(1));
            let (is_full, go) = (emit.is_null(part), emit.new_block());
            emit.branch(is_full, full, go, None);
            emit.switch_to(go);
            emit.builder.jump(head, vec![next]);
            emit.switch_to(end);
        }
        emit.ret(Some(array));
        self.set_body(function, emit.builder.finish());
        function
    }

    /// Whether a call of the function never leaves an exception behind.
    pub(super) fn never_throws(&self, function: FuncId) -> bool {
        self.quiet.contains(&function)
    }

    /// Declares an engine's function once.
    pub(super) fn external(&mut self, name: &str, like: FuncId) -> FuncId {
        let declared = self.program.function(like).clone();
        if let Some(known) = self.program.function_named(name) {
            return known;
        }
        self.program.functions.push(glassbox_ir::Function {
            name: name.to_owned(),
            method: None,
            body: None,
            is_noreturn: name == "exit",
            origin: glassbox_ir::Origin::Runtime,
            span: Span::nowhere(),
            ..declared
        });
        FuncId::new(self.program.functions.len() - 1)
    }

    /// A body that only says why there is none.
    pub(super) fn unsupported_body(&mut self, function: FuncId, what: &str) -> glassbox_ir::Body {
        let declared = self.program.function(function);
        let types: Vec<Ty> = declared.params.iter().map(|param| param.ty).collect();
        let span = declared.span;
        let result = declared.result.direct();
        let mut emit = Emit::new(&types);
        emit.builder.set_span(span);
        // It returns, with anything: what comes behind a call of it is not impossible, only unknown.
        let value = emit.unsupported(what, result);
        emit.ret(value);
        emit.builder.finish()
    }

    /// What depends on the surroundings of a run: unknown, but while initializers of the library run it is as a
    /// variable says.
    pub(super) fn surroundings_body(&mut self, function: FuncId, what: &str) -> glassbox_ir::Body {
        let cell = match self.surroundings {
            Some(cell) => cell,
            None => {
                let cell = self.runtime_cell("glassbox.surroundings", Kind::Long);
                self.surroundings = Some(cell);
                cell
            }
        };
        let declared = self.program.function(function);
        let types: Vec<Ty> = declared.params.iter().map(|param| param.ty).collect();
        let (span, result) = (declared.span, declared.result.direct());
        let mut emit = Emit::new(&types);
        emit.builder.set_span(span);
        let (known, unknown) = (emit.new_block(), emit.new_block());
        let answer = emit.load_global(Ty::I64, cell);
        let is_unknown = emit.compare(CompareOp::Eq, answer, long(0));
        emit.branch(is_unknown, unknown, known, None);
        emit.switch_to(known);
        let value = result.map(|ty| match ty {
            Ty::Int(64) => answer,
            Ty::Int(_) => emit.cast(CastOp::Truncate, answer, ty),
            Ty::Float(_) | Ty::Ptr => zero(ty),
        });
        emit.ret(value);
        emit.switch_to(unknown);
        let value = emit.unsupported(what, result);
        emit.ret(value);
        emit.builder.finish()
    }

    /// A method that stands aside: it does nothing, and what it gives is an object that programs do not look into. Numbers that it
    /// gives are not known.
    pub(super) fn aside_body(&mut self, function: FuncId, method: MethodRef) -> glassbox_ir::Body {
        self.aside.insert(function);
        let declared = self.program.function(function);
        let types: Vec<Ty> = declared.params.iter().map(|param| param.ty).collect();
        let (span, result) = (declared.span, declared.result.direct());
        let mut emit = Emit::new(&types);
        emit.builder.set_span(span);
        let says_no = library::says_no(self.reached.world.name(method.class));
        let value = match (result, self.reached.given_by_aside(method)) {
            (None, _) => None,
            (Some(_), Some(class)) => {
                let (number, size) = (self.layouts.number(class), self.layouts.size(class));
                Some(emit.new_object(number, size))
            }
            (Some(ty @ Ty::Int(_)), None) if says_no => Some(zero(ty)),
            (Some(_), None) => {
                let name = self.reached.world.method_name(method);
                emit.unsupported(&format!("what {name} gives, which stands aside"), result)
            }
        };
        emit.ret(value);
        emit.builder.finish()
    }

    /// The initializer of a class whose constants are objects of the class, without insides.
    pub(super) fn own_constants(&mut self, function: FuncId, class: TypeRef) -> glassbox_ir::Body {
        if library::stands_aside(self.reached.world.name(class)) {
            self.aside.insert(function);
        }
        let mut emit = Emit::new(&[]);
        let info = self.reached.world.info(class);
        let own = Type::Ref(std::rc::Rc::clone(&info.name)).descriptor();
        let fields = info.class().map(|file| file.fields.clone()).unwrap_or_default();
        let mut objects: Vec<(String, Operand)> = Vec::new();
        for (index, field) in (0u32..).zip(fields) {
            if field.access.is_static() && field.access.is_final() && *field.descriptor == *own {
                let (number, size) = (self.layouts.number(class), self.layouts.size(class));
                let global = self.static_field(FieldRef { class, index });
                // Several names may be of one object.
                let name = crate::library::first_name(&field.name).to_owned();
                let is_it = |known: &String| library::is_same_constant(known, &name);
                let known = objects.iter().find(|(known, _)| is_it(known)).map(|(_, it)| *it);
                let object = known.unwrap_or_else(|| emit.new_object(number, size));
                objects.push((name, object));
                emit.store_global(global, object);
            }
        }
        emit.ret(None);
        emit.builder.finish()
    }

    /// How classes of the library are initialized.
    pub(super) fn beginnings(&self) -> Beginnings {
        let is_of_library = |class: TypeRef| self.reached.world.info(class).owner == Owner::Library;
        let guards = self.guards.iter().filter(|(class, _)| is_of_library(**class));
        let guards = guards.filter_map(|(_, guard)| guard.map(|(guard, _)| guard));
        let initializers: BTreeSet<FuncId> = guards.collect();
        Beginnings {
            initializers: initializers.into_iter().collect(),
            surroundings: self.surroundings,
        }
    }

    /// Why a method is not run, in words.
    pub(super) fn reason(&self, method: MethodRef, source: &Source) -> String {
        let name = self.reached.world.method_name(method);
        match source {
            Source::Missing(why) => format!("{name}: {why}"),
            Source::Model(Model::Surroundings(_)) => {
                format!("{name}, which depends on the surroundings of the run")
            }
            Source::Model(Model::CutOff) => format!("{name}, which is not modeled"),
            Source::Code(_) | Source::Model(_) | Source::Replaced(_) => name,
        }
    }
}
