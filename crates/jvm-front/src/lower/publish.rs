//! What engines and reports may know of the classes: the program's class table and object layout.

use std::rc::Rc;

use glassbox_ir::{
    Body, Class, ClassId, Field, FieldId, FuncId, GlobalKind, Method, MethodId, ObjectLayout,
    SourceType, Ty, TypeKind, TypeLayout,
};
use rustc_hash::FxHashMap;

use super::context::Lowering;
use super::emit::Emit;
use crate::descriptor::Type;
use crate::library;
use crate::world::{FieldRef, MethodRef, Shape, TypeRef};

impl Lowering {
    /// Fills the program's classes, without members.
    pub(super) fn publish_classes(&mut self) {
        let types: Vec<TypeRef> = self.reached.world.types().collect();
        let mut ids: Vec<Option<ClassId>> = Vec::new();
        let mut n_classes = 0;
        for &ty in &types {
            let is_class = self.reached.world.info(ty).class().is_some();
            ids.push(is_class.then(|| ClassId::new(n_classes)));
            n_classes += usize::from(is_class);
        }
        for &ty in &types {
            let info = self.reached.world.info(ty);
            let Some(class) = info.class() else { continue };
            self.program.classes.push(Class {
                name: info.dotted_name(),
                superclass: info.superclass.and_then(|above| ids[above.index()]),
                interfaces: info.interfaces.iter().filter_map(|one| ids[one.index()]).collect(),
                is_interface: class.access.is_interface(),
                is_abstract: class.access.is_abstract(),
                fields: Vec::new(),
                methods: Vec::new(),
                initializer: None,
            });
        }
        self.classes = ids;
    }

    /// Adds a reached method to its class.
    pub(super) fn publish_method(&mut self, method: MethodRef) -> MethodId {
        let declared = self.reached.world.method(method);
        let class = self.classes[method.class.index()].expect("methods belong to classes");
        let id = MethodId::new(self.program.methods.len());
        self.program.methods.push(Method {
            class,
            name: declared.name.to_string(),
            descriptor: declared.descriptor.to_string(),
            is_static: declared.access.is_static(),
            is_abstract: declared.access.is_abstract(),
            function: None,
        });
        self.program.classes[class.index()].methods.push(id);
        id
    }

    fn publish_fields(&mut self) -> FxHashMap<FieldRef, FieldId> {
        let mut ids = FxHashMap::default();
        let types: Vec<TypeRef> = self.reached.world.types().collect();
        for ty in types {
            let Some(class) = self.reached.world.info(ty).class().map(Rc::clone) else { continue };
            let class_id = self.classes[ty.index()].expect("it is a class");
            for (index, field) in (0u32..).zip(&class.fields) {
                let Some(parsed) = Type::parse(&field.descriptor) else { continue };
                let source_type = self.source_type(&parsed);
                let id = FieldId::new(self.program.fields.len());
                self.program.fields.push(Field {
                    class: class_id,
                    name: field.name.to_string(),
                    ty: parsed.ty(),
                    source_type,
                    is_static: field.access.is_static(),
                    is_final: field.access.is_final(),
                });
                self.program.classes[class_id.index()].fields.push(id);
                ids.insert(FieldRef { class: ty, index }, id);
            }
        }
        ids
    }

    /// Fills the program's object layout, when all types are known.
    pub(super) fn publish_layout(&mut self) {
        let fields = self.publish_fields();
        let mut statics: Vec<_> =
            self.statics.iter().map(|(field, global)| (*global, *field)).collect();
        statics.sort_unstable_by_key(|(global, _)| *global);
        for (global, field) in statics {
            if let Some(&field) = fields.get(&field) {
                self.program.globals[global.index()].kind = GlobalKind::StaticField(field);
            }
        }
        let void = self.program.intern_source_type(SourceType::Void);
        let mut types = vec![TypeLayout {
            name: String::new(),
            kind: TypeKind::Array { element: void, element_ty: Ty::I8 },
            source_type: void,
            superclass: None,
            is_instantiated: false,
            is_final: false,
            is_abstract: true,
            is_library: true,
            has_free_fields: false,
            is_stand_in: false,
            is_nameless: false,
            shapes: Vec::new(),
            subtypes: Vec::new(),
        }];
        let numbered: Vec<TypeRef> = self.layouts.by_number.iter().flatten().copied().collect();
        for ty in numbered {
            let info = self.reached.world.info(ty);
            let (name, superclass) = (info.dotted_name(), info.superclass);
            let spelled = Type::Ref(Rc::clone(&info.name));
            let is_library = !info.owner.is_own();
            let info_is_abstract = info.class().is_some_and(|class| class.access.is_abstract());
            let kind = match info.shape.clone() {
                Shape::Array(element) => TypeKind::Array {
                    element_ty: element.ty(),
                    element: self.source_type(&element),
                },
                Shape::Class(_) => TypeKind::Class {
                    class: self.classes[ty.index()].expect("it is a class"),
                    size: self.layouts.size(ty),
                    fields: self.all_fields(ty, &fields),
                },
            };
            let source_type = self.source_type(&spelled);
            types.push(TypeLayout {
                name,
                kind,
                source_type,
                superclass: superclass.map(|above| self.layouts.number(above)),
                is_instantiated: self.reached.is_instantiated(ty),
                is_final: self.is_final(ty),
                is_abstract: info_is_abstract,
                is_library,
                has_free_fields: self.has_free_fields(ty),
                is_stand_in: self.reached.is_stand_in(ty),
                is_nameless: self.reached.lambdas.contains(&ty) || self.reached.is_opaque(ty),
                shapes: Vec::new(),
                subtypes: self.subtypes(ty),
            });
        }
        self.program.object_layout = Some(ObjectLayout {
            types,
            pending: self.pending,
            asked: std::mem::take(&mut self.asked_types),
        });
    }

    /// Whether any field values make an object that a program could have.
    fn has_free_fields(&self, ty: TypeRef) -> bool {
        let world = &self.reached.world;
        let info = world.info(ty);
        let Some(class) = info.class() else { return true };
        if self.reached.is_stand_in(ty) {
            return true;
        }
        let mut above = info.superclass;
        while let Some(superclass) = above {
            if library::has_inner_rules(&world.info(superclass).name) {
                return false;
            }
            above = world.info(superclass).superclass;
        }
        let is_made = info.name.contains("$$");
        let is_free = info.owner.is_own() || library::is_plain_data(&info.name);
        !class.access.is_abstract() && !is_made && is_free
    }

    /// Whether no class can be below a type.
    fn is_final(&self, ty: TypeRef) -> bool {
        match &self.reached.world.info(ty).shape {
            Shape::Class(class) => class.access.is_final(),
            Shape::Array(Type::Prim(_)) => true,
            Shape::Array(Type::Ref(element)) => {
                self.reached.world.known(element).is_some_and(|element| self.is_final(element))
            }
        }
    }

    fn all_fields(&self, ty: TypeRef, ids: &FxHashMap<FieldRef, FieldId>) -> Vec<(FieldId, u64)> {
        let mut chain = vec![ty];
        while let Some(above) = self.reached.world.info(chain[chain.len() - 1]).superclass {
            chain.push(above);
        }
        let mut placed = Vec::new();
        for &class in chain.iter().rev() {
            let n_fields = self.reached.world.info(class).class().map_or(0, |c| c.fields.len());
            for index in 0..u32::try_from(n_fields).unwrap_or(0) {
                let field = FieldRef { class, index };
                if let (Some(offset), Some(&id)) = (self.layouts.offset(field), ids.get(&field)) {
                    placed.push((id, offset));
                }
            }
        }
        placed
    }

    /// A body that calls another function with the same parameters, without a receiver that it does not
    /// take.
    pub(super) fn forward_body(&mut self, function: FuncId, other: FuncId) -> Body {
        let declared = self.program.function(function);
        let types: Vec<Ty> = declared.params.iter().map(|param| param.ty).collect();
        let result = declared.result.direct();
        let n_wanted = self.program.function(other).params.len();
        let mut emit = Emit::new(&types);
        let skip = types.len().saturating_sub(n_wanted);
        let args = (skip..types.len()).map(|index| emit.param(index)).collect();
        let value = emit.call(other, args, result);
        emit.ret(value);
        emit.builder.finish()
    }
}
