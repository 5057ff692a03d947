//! Class numbers and the places of fields.
//!
//! Numbers are given in preorder over superclasses, so that the subclasses of a class are one range.

use glassbox_ir::object_layout::CONTENTS;
use rustc_hash::FxHashMap;

use crate::descriptor::Type;
use crate::reach::Reached;
use crate::world::{FieldRef, TypeRef, World};

/// Where everything is.
#[derive(Debug)]
pub(super) struct Layouts {
    // By type; numbers count from 1.
    numbers: Vec<u32>,
    /// Types by number; entry 0 is none.
    pub(super) by_number: Vec<Option<TypeRef>>,
    // By type; 0 for arrays.
    sizes: Vec<u64>,
    offsets: FxHashMap<FieldRef, u64>,
    // Instantiated types by number, sorted.
    instantiated: Vec<(u32, TypeRef)>,
}

impl Layouts {
    pub(super) fn new(reached: &Reached) -> Layouts {
        let world = &reached.world;
        let n_types = world.types().count();
        let mut children: Vec<Vec<TypeRef>> = vec![Vec::new(); n_types];
        let mut roots = Vec::new();
        for ty in world.types() {
            match world.info(ty).superclass {
                Some(superclass) => children[superclass.index()].push(ty),
                None => roots.push(ty),
            }
        }
        let mut layouts = Layouts {
            numbers: vec![0; n_types],
            by_number: vec![None],
            sizes: vec![0; n_types],
            offsets: FxHashMap::default(),
            instantiated: Vec::new(),
        };
        let mut stack: Vec<TypeRef> = roots.into_iter().rev().collect();
        while let Some(ty) = stack.pop() {
            layouts.numbers[ty.index()] = u32::try_from(layouts.by_number.len()).unwrap_or(0);
            layouts.by_number.push(Some(ty));
            layouts.place_fields(world, ty);
            stack.extend(children[ty.index()].iter().rev());
        }
        layouts.instantiated =
            reached.instantiated.iter().map(|&ty| (layouts.number(ty), ty)).collect();
        layouts.instantiated.sort_unstable();
        layouts
    }

    fn place_fields(&mut self, world: &World, ty: TypeRef) {
        let info = world.info(ty);
        let Some(class) = info.class() else { return };
        let mut end = info.superclass.map_or(CONTENTS, |above| self.sizes[above.index()]);
        for (index, field) in (0u32..).zip(&class.fields) {
            if field.access.is_static() {
                continue;
            }
            let size = Type::parse(&field.descriptor).map_or(8, |ty| ty.size());
            let offset = end.next_multiple_of(size);
            self.offsets.insert(FieldRef { class: ty, index }, offset);
            end = offset + size;
        }
        // Objects of `java.lang.Class` know the number of their type and of the array of it.
        if &*info.name == "java/lang/Class" {
            end = end.next_multiple_of(8) + 8;
        }
        self.sizes[ty.index()] = end;
    }

    pub(super) fn number(&self, ty: TypeRef) -> u32 {
        self.numbers[ty.index()]
    }

    pub(super) fn size(&self, ty: TypeRef) -> u64 {
        self.sizes[ty.index()]
    }

    pub(super) fn offset(&self, field: FieldRef) -> Option<u64> {
        self.offsets.get(&field).copied()
    }

    /// Where a class object keeps the number of its type; the array's is 4 behind.
    pub(super) fn class_number_offset(&self, class: TypeRef) -> u64 {
        self.size(class) - 8
    }

    /// Ranges of numbers that objects of a type may have. Numbers of types without objects may be in
    /// them.
    pub(super) fn subtypes(&self, world: &World, ty: TypeRef) -> Vec<(u32, u32)> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        let mut is_open = false;
        for &(number, other) in &self.instantiated {
            if world.is_subtype(other, ty) {
                match ranges.last_mut() {
                    Some(last) if is_open => last.1 = number,
                    _ => ranges.push((number, number)),
                }
                is_open = true;
            } else {
                is_open = false;
            }
        }
        ranges
    }

    /// Whether every object is of this type.
    pub(super) fn is_everything(&self, world: &World, ty: TypeRef) -> bool {
        self.instantiated.iter().all(|&(_, other)| world.is_subtype(other, ty))
    }

    pub(super) fn instantiated(&self) -> &[(u32, TypeRef)] {
        &self.instantiated
    }
}
