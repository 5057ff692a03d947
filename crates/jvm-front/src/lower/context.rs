//! The program being made: functions, globals and types that lowering asks for.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use glassbox_ir::{
    ClassId, FileId, FileOrigin, FuncId, Function, Global, GlobalId, GlobalKind, Initializer,
    Language, Linkage, MethodId, Origin, Param, Passing, Program, Relocation, RelocationTarget,
    ResultPassing, SourceFile, SourceType, SourceTypeId, Span, Ty,
};
use glassbox_values::{Format, Signedness};
use rustc_hash::{FxHashMap, FxHashSet};

use super::escape::Escapes;
use super::handlers::Handlers;
use super::layout::Layouts;
use crate::classfile::insn::Constant;
use crate::descriptor::{Kind, Prim, Signature, Type};
use crate::library::Thrower;
use crate::library::settings::IDENTITY_HASHES;
use crate::reach::Reached;
use crate::world::{FieldRef, MethodRef, TypeRef};

#[derive(Debug)]
pub(super) struct Lowering {
    pub(super) reached: Reached,
    pub(super) program: Program,
    pub(super) layouts: Layouts,
    /// The exception on its way.
    pub(super) pending: GlobalId,
    /// Class ids by type; arrays have none.
    pub(super) classes: Vec<Option<ClassId>>,
    pub(super) functions: FxHashMap<MethodRef, FuncId>,
    /// Functions that choose what a receiver runs, by site.
    pub(super) dispatchers: FxHashMap<usize, FuncId>,
    /// Functions that run static initializers once, with the cells that remember it.
    pub(super) guards: FxHashMap<TypeRef, Option<(FuncId, GlobalId)>>,
    /// Functions that never leave an exception behind.
    pub(super) quiet: FxHashSet<FuncId>,
    /// By method: what says whether a call keeps to its contract, and what the contract requires in words.
    pub(super) requirements: FxHashMap<MethodRef, (MethodRef, String)>,
    pub(super) storable: Option<FuncId>,
    /// Functions that ask whether an object is of a class below which none is loaded.
    pub(super) open_tests: BTreeSet<FuncId>,
    /// Functions that do nothing because they stand aside, or leave out a call of one.
    pub(super) aside: BTreeSet<FuncId>,
    /// By function: numbers of the types that it asks for.
    pub(super) asked_types: BTreeMap<FuncId, Vec<u32>>,
    pub(super) handlers: Handlers,
    /// Functions of the user that make lambdas.
    pub(super) lambda_makers: BTreeSet<FuncId>,
    /// Where exceptions begin and who may catch them, for properties.
    pub(super) escapes: Escapes,
    pub(super) multi_arrays: FxHashMap<(TypeRef, u8), FuncId>,
    pub(super) statics: FxHashMap<FieldRef, GlobalId>,
    strings: FxHashMap<Rc<[u16]>, GlobalId>,
    class_objects: FxHashMap<TypeRef, GlobalId>,
    prim_objects: FxHashMap<Option<Prim>, GlobalId>,
    class_table: Option<GlobalId>,
    hash_counter: Option<GlobalId>,
    /// What the surroundings answer while initializers of the library run.
    pub(super) surroundings: Option<GlobalId>,
    subtypes: FxHashMap<TypeRef, Rc<[(u32, u32)]>>,
    files: FxHashMap<String, FileId>,
}

impl Lowering {
    pub(super) fn new(reached: Reached) -> Lowering {
        let layouts = Layouts::new(&reached);
        let mut program = Program::new(Language::Java);
        let path = "<jdk>".to_owned();
        program.files.push(SourceFile::new(path, FileOrigin::Model, None));
        let void = program.intern_source_type(SourceType::Void);
        let pointer =
            program.intern_source_type(SourceType::Pointer { target: void, is_const: false });
        let pending = GlobalId::new(0);
        program.globals.push(runtime_global("glassbox.pending", pointer, 8));
        Lowering {
            reached,
            program,
            layouts,
            pending,
            classes: Vec::new(),
            functions: FxHashMap::default(),
            dispatchers: FxHashMap::default(),
            guards: FxHashMap::default(),
            quiet: FxHashSet::default(),
            requirements: FxHashMap::default(),
            storable: None,
            open_tests: BTreeSet::new(),
            aside: BTreeSet::new(),
            asked_types: BTreeMap::new(),
            handlers: Handlers::default(),
            lambda_makers: BTreeSet::new(),
            escapes: Escapes::default(),
            multi_arrays: FxHashMap::default(),
            statics: FxHashMap::default(),
            strings: FxHashMap::default(),
            class_objects: FxHashMap::default(),
            prim_objects: FxHashMap::default(),
            class_table: None,
            hash_counter: None,
            surroundings: None,
            subtypes: FxHashMap::default(),
            files: FxHashMap::default(),
        }
    }

    // Types.

    pub(super) fn source_type(&mut self, ty: &Type) -> SourceTypeId {
        let source = match ty {
            Type::Prim(Prim::Boolean) => SourceType::Bool,
            Type::Prim(prim @ (Prim::Float | Prim::Double)) => SourceType::Float {
                name: prim.name().to_owned(),
                format: if *prim == Prim::Float { Format::F32 } else { Format::F64 },
            },
            Type::Prim(prim) => {
                let Ty::Int(width) = prim.ty() else { unreachable!("floats are above") };
                let is_char = *prim == Prim::Char;
                let signedness = if is_char { Signedness::Unsigned } else { Signedness::Signed };
                SourceType::Int { name: prim.name().to_owned(), width, signedness, is_char }
            }
            Type::Ref(name) => match Type::parse(name.strip_prefix('[').unwrap_or("")) {
                Some(element) => {
                    let element = self.source_type(&element);
                    SourceType::ClassArray { element }
                }
                None => {
                    let known = self.reached.world.known(name);
                    match known.and_then(|ty| self.classes[ty.index()]) {
                        Some(class) => SourceType::Class(class),
                        None => {
                            SourceType::Opaque { name: name.replace('/', "."), size: 8, align: 8 }
                        }
                    }
                }
            },
        };
        self.program.intern_source_type(source)
    }

    pub(super) fn descriptor_source_type(&mut self, descriptor: &str) -> SourceTypeId {
        match Type::parse(descriptor) {
            Some(ty) => self.source_type(&ty),
            None => self.program.intern_source_type(SourceType::Void),
        }
    }

    pub(super) fn kind_source_type(&mut self, kind: Kind) -> SourceTypeId {
        let prim = match kind {
            Kind::Int => Prim::Int,
            Kind::Long => Prim::Long,
            Kind::Float => Prim::Float,
            Kind::Double => Prim::Double,
            Kind::Ref => return self.pointer_type(),
        };
        self.source_type(&Type::Prim(prim))
    }

    pub(super) fn pointer_type(&mut self) -> SourceTypeId {
        let target = self.program.intern_source_type(SourceType::Void);
        self.program.intern_source_type(SourceType::Pointer { target, is_const: false })
    }

    pub(super) fn subtypes(&mut self, ty: TypeRef) -> Vec<(u32, u32)> {
        if let Some(known) = self.subtypes.get(&ty) {
            return known.to_vec();
        }
        let ranges = self.layouts.subtypes(&self.reached.world, ty);
        self.subtypes.insert(ty, ranges.clone().into());
        ranges
    }

    // Functions.

    /// The function of a reached method.
    pub(super) fn function(&self, method: MethodRef) -> Option<FuncId> {
        self.functions.get(&method).copied()
    }

    pub(super) fn thrower(&mut self, thrower: Thrower) -> Option<FuncId> {
        let method = self.reached.thrower_method(thrower)?;
        self.function(method)
    }

    /// Declares a function without a body.
    /// Declares a function; one that no class has, unless the caller says otherwise.
    pub(super) fn declare(
        &mut self,
        name: String,
        params: Vec<(String, Type)>,
        result: Option<&Type>,
        method: Option<MethodId>,
        span: Span,
    ) -> FuncId {
        let mut declared = Vec::new();
        for (name, ty) in params {
            let source_type = self.source_type(&ty);
            declared.push(Param { name, ty: ty.ty(), source_type, passing: Passing::Direct });
        }
        let result_source_type = match result {
            Some(ty) => self.source_type(ty),
            None => self.program.intern_source_type(SourceType::Void),
        };
        self.program.functions.push(Function {
            name,
            linkage: Linkage::Internal,
            origin: Origin::Runtime,
            params: declared,
            result: result.map_or(ResultPassing::Void, |ty| ResultPassing::Direct(ty.ty())),
            result_source_type,
            is_variadic: false,
            is_noreturn: false,
            method,
            body: None,
            span,
        });
        FuncId::new(self.program.functions.len() - 1)
    }

    /// Declares a function of the run-time system by its descriptor.
    pub(super) fn declare_made(&mut self, name: String, descriptor: &str) -> FuncId {
        let signature = Signature::parse(descriptor).expect("made descriptors are right");
        let params = signature.params.into_iter().enumerate();
        let params = params.map(|(position, ty)| (format!("p{position}"), ty)).collect();
        self.declare(name, params, signature.result.as_ref(), None, Span::nowhere())
    }

    pub(super) fn set_body(&mut self, function: FuncId, mut body: glassbox_ir::Body) {
        glassbox_ir::simplify_cfg::simplify_cfg(&mut body);
        self.program.functions[function.index()].body = Some(body);
    }

    /// The source file of a class, by package path.
    pub(super) fn file_of(&mut self, class: TypeRef) -> FileId {
        let info = self.reached.world.info(class);
        let source = info.class().and_then(|class| class.source_file.clone());
        let Some(source) = source else { return FileId::new(0) };
        let package = info.name.rsplit_once('/').map_or("", |(package, _)| package);
        let path =
            if package.is_empty() { source.to_string() } else { format!("{package}/{source}") };
        if let Some(&file) = self.files.get(&path) {
            return file;
        }
        let file = FileId::new(self.program.files.len());
        let origin = if info.owner.is_own() { FileOrigin::User } else { FileOrigin::System };
        self.program.files.push(SourceFile::new(path.clone(), origin, None));
        self.files.insert(path, file);
        file
    }

    // Globals.

    pub(super) fn add_global(&mut self, global: Global) -> GlobalId {
        self.program.globals.push(global);
        GlobalId::new(self.program.globals.len() - 1)
    }

    pub(super) fn runtime_cell(&mut self, name: &str, kind: Kind) -> GlobalId {
        let source_type = self.kind_source_type(kind);
        self.add_global(runtime_global(
            name,
            source_type,
            kind.ty().size(glassbox_ir::PointerSize::Eight),
        ))
    }

    /// Counts identity hashes.
    pub(super) fn hash_counter(&mut self) -> GlobalId {
        match self.hash_counter {
            Some(global) => global,
            None => {
                let global = self.runtime_cell(IDENTITY_HASHES, Kind::Int);
                self.hash_counter = Some(global);
                global
            }
        }
    }

    /// The variable of a static field.
    pub(super) fn static_field(&mut self, field: FieldRef) -> GlobalId {
        if let Some(&global) = self.statics.get(&field) {
            return global;
        }
        let info = self.reached.world.field(field).clone();
        let class = self.reached.world.info(field.class).dotted_name();
        let ty = Type::parse(&info.descriptor).unwrap_or(Type::Prim(Prim::Int));
        let source_type = match &ty {
            Type::Ref(_) => self.pointer_type(),
            Type::Prim(_) => self.source_type(&ty),
        };
        let mut global = runtime_global(&format!("{class}.{}", info.name), source_type, ty.size());
        let mut initializer = Initializer::default();
        match &info.constant {
            Some(Constant::Int(value)) => {
                let size = usize::try_from(ty.size()).unwrap_or(4).min(4);
                initializer.bytes = value.to_le_bytes()[..size].to_vec();
            }
            Some(Constant::Long(value)) => initializer.bytes = value.to_le_bytes().to_vec(),
            Some(Constant::Float(bits)) => initializer.bytes = bits.to_le_bytes().to_vec(),
            Some(Constant::Double(bits)) => initializer.bytes = bits.to_le_bytes().to_vec(),
            Some(Constant::String(text)) => {
                let string = self.string(text);
                initializer.relocations.push(relocation(0, string));
            }
            _ => {}
        }
        global.initializer = Some(initializer);
        let global = self.add_global(global);
        self.statics.insert(field, global);
        global
    }

    /// The object of a string constant.
    pub(super) fn string(&mut self, text: &Rc<[u16]>) -> GlobalId {
        if let Some(&global) = self.strings.get(text) {
            return global;
        }
        let world = &mut self.reached.world;
        let string = world.load("java/lang/String");
        let is_chars =
            string.as_ref().is_ok_and(|&string| world.find_field(string, "value", "[C").is_some());
        let is_latin1 = !is_chars && text.iter().all(|&unit| unit < 256);
        let mut bytes = Vec::new();
        for &unit in text.iter() {
            let pair = unit.to_le_bytes();
            bytes.extend_from_slice(if is_latin1 { &pair[..1] } else { &pair });
        }
        let array = world.load(if is_chars { "[C" } else { "[B" });
        let n_elements = if is_chars { text.len() } else { bytes.len() };
        let array = self.array_global("glassbox.text", array.ok(), n_elements, bytes);
        let number = string.as_ref().map_or(0, |&string| self.layouts.number(string));
        let size = string.as_ref().map_or(8, |&string| self.layouts.size(string));
        let mut image = vec![0; usize::try_from(size).unwrap_or(8)];
        image[..4].copy_from_slice(&number.to_le_bytes());
        let mut relocations = Vec::new();
        if let Ok(string) = string {
            let place = |name: &str, descriptor: &str| {
                let field = self.reached.world.find_field(string, name, descriptor)?;
                self.layouts.offset(field)
            };
            let value = place("value", if is_chars { "[C" } else { "[B" });
            if let Some(offset) = value {
                relocations.push(relocation(offset, array));
            }
            if let Some(offset) = place("coder", "B").and_then(|at| usize::try_from(at).ok()) {
                image[offset] = u8::from(!is_latin1);
            }
        }
        let name = format!("{:?}", String::from_utf16_lossy(text));
        let source_type = self.pointer_type();
        let mut global = runtime_global(&name, source_type, size);
        global.initializer = Some(Initializer { bytes: image, relocations });
        let global = self.add_global(global);
        self.strings.insert(Rc::clone(text), global);
        global
    }

    fn array_global(
        &mut self,
        name: &str,
        ty: Option<TypeRef>,
        n_elements: usize,
        elements: Vec<u8>,
    ) -> GlobalId {
        let number = ty.map_or(0, |ty| self.layouts.number(ty));
        let mut image = number.to_le_bytes().to_vec();
        image.extend_from_slice(&u32::try_from(n_elements).unwrap_or(0).to_le_bytes());
        image.extend_from_slice(&elements);
        // Bytes after two numbers: the shape in which the engines read it.
        let byte = self.source_type(&Type::Prim(Prim::Byte));
        let length = Some(image.len() as u64);
        let shape = SourceType::Array { element: byte, length };
        let source_type = self.program.intern_source_type(shape);
        let mut global = runtime_global(name, source_type, image.len() as u64);
        global.initializer = Some(Initializer { bytes: image, relocations: Vec::new() });
        self.add_global(global)
    }

    /// The `java.lang.Class` object of a type.
    pub(super) fn class_object(&mut self, ty: TypeRef) -> GlobalId {
        if let Some(&global) = self.class_objects.get(&ty) {
            return global;
        }
        let name = self.reached.world.info(ty).dotted_name();
        let class = self.reached.world.load("java/lang/Class").ok();
        let size = class.map_or(16, |class| self.layouts.size(class));
        let source_type = self.pointer_type();
        let global = self.add_global(runtime_global(&format!("class {name}"), source_type, size));
        self.class_objects.insert(ty, global);
        let Some(class) = class else { return global };
        let mut image = vec![0; usize::try_from(size).unwrap_or(16)];
        let number = self.layouts.number(class);
        image[..4].copy_from_slice(&number.to_le_bytes());
        let at = usize::try_from(self.layouts.class_number_offset(class)).unwrap_or(8);
        image[at..at + 4].copy_from_slice(&self.layouts.number(ty).to_le_bytes());
        let array = self.reached.world.known(&crate::reach::array_of(self.reached.world.name(ty)));
        let array = array.map_or(0, |array| self.layouts.number(array));
        image[at + 4..at + 8].copy_from_slice(&array.to_le_bytes());
        let mut relocations = Vec::new();
        let text: Rc<[u16]> = name.encode_utf16().collect::<Vec<u16>>().into();
        if let Some(offset) = self.class_field(class, "name", "Ljava/lang/String;") {
            relocations.push(relocation(offset, self.string(&text)));
        }
        let component = match self.reached.world.info(ty).shape.clone() {
            crate::world::Shape::Array(Type::Ref(element)) => {
                let element = self.reached.world.known(&element);
                element.map(|element| self.class_object(element))
            }
            crate::world::Shape::Array(Type::Prim(prim)) => Some(self.prim_object(Some(prim))),
            crate::world::Shape::Class(_) => None,
        };
        let component_at = self.class_field(class, "componentType", "Ljava/lang/Class;");
        if let (Some(component), Some(offset)) = (component, component_at) {
            relocations.push(relocation(offset, component));
        }
        relocations.sort_by_key(|relocation| relocation.offset);
        let initializer = Initializer { bytes: image, relocations };
        self.program.globals[global.index()].initializer = Some(initializer);
        global
    }

    /// The `java.lang.Class` object of a primitive type, or of void.
    pub(super) fn prim_object(&mut self, prim: Option<Prim>) -> GlobalId {
        if let Some(&global) = self.prim_objects.get(&prim) {
            return global;
        }
        let name = prim.map_or("void", Prim::name);
        let class = self.reached.world.known("java/lang/Class");
        let size = class.map_or(16, |class| self.layouts.size(class));
        let source_type = self.pointer_type();
        let mut global = runtime_global(&format!("class {name}"), source_type, size);
        if let Some(class) = class {
            let mut image = vec![0; usize::try_from(size).unwrap_or(16)];
            image[..4].copy_from_slice(&self.layouts.number(class).to_le_bytes());
            let array =
                prim.and_then(|prim| self.reached.world.known(&format!("[{}", prim.letter())));
            let array = array.map_or(0, |array| self.layouts.number(array));
            let at = usize::try_from(self.layouts.class_number_offset(class)).unwrap_or(8) + 4;
            image[at..at + 4].copy_from_slice(&array.to_le_bytes());
            let mut relocations = Vec::new();
            if let Some(offset) = self.class_field(class, "name", "Ljava/lang/String;") {
                let text: Rc<[u16]> = name.encode_utf16().collect::<Vec<u16>>().into();
                relocations.push(relocation(offset, self.string(&text)));
            }
            global.initializer = Some(Initializer { bytes: image, relocations });
        }
        let global = self.add_global(global);
        self.prim_objects.insert(prim, global);
        global
    }

    fn class_field(&self, class: TypeRef, name: &str, descriptor: &str) -> Option<u64> {
        let field = self.reached.world.find_field(class, name, descriptor)?;
        self.layouts.offset(field)
    }

    /// Class objects by class number.
    pub(super) fn class_table(&mut self) -> GlobalId {
        if let Some(global) = self.class_table {
            return global;
        }
        let types: Vec<(u32, TypeRef)> = self.layouts.instantiated().to_vec();
        let mut relocations = Vec::new();
        for (number, ty) in types {
            let object = self.class_object(ty);
            relocations.push(relocation(u64::from(number) * 8, object));
        }
        let size = self.layouts.by_number.len() as u64 * 8;
        let element = self.pointer_type();
        let length = Some(self.layouts.by_number.len() as u64);
        let source_type = self.program.intern_source_type(SourceType::Array { element, length });
        let mut table = runtime_global("glassbox.classes", source_type, size);
        table.initializer = Some(Initializer { bytes: Vec::new(), relocations });
        let global = self.add_global(table);
        self.class_table = Some(global);
        global
    }
}

pub(super) fn relocation(offset: u64, global: GlobalId) -> Relocation {
    Relocation { offset, target: RelocationTarget::Global(global), addend: 0 }
}

fn runtime_global(name: &str, source_type: SourceTypeId, size: u64) -> Global {
    Global {
        name: name.to_owned(),
        kind: GlobalKind::Runtime,
        linkage: Linkage::Internal,
        source_type,
        size,
        align: size.clamp(1, 8).next_power_of_two(),
        is_const: false,
        initializer: Some(Initializer::default()),
        span: Span::nowhere(),
    }
}
