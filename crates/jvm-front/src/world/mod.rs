//! Loaded classes: hierarchy, fields and methods as the JVM resolves them.
//!
//! Classes are loaded when they are first mentioned, with everything above them. A class that is not
//! there or not readable is remembered as missing with the reason; code that needs it becomes
//! `Unsupported`.

mod members;

pub use members::{FieldRef, MethodRef};

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::classfile::{ClassFile, MethodInfo};
use crate::classpath::{ClassPath, Owner};
use crate::descriptor::Type;

/// A class, interface or array type that has been loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeRef(u32);

impl TypeRef {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
pub struct TypeInfo {
    /// Internal name, or descriptor of an array.
    pub name: Rc<str>,
    pub shape: Shape,
    pub superclass: Option<TypeRef>,
    pub interfaces: Vec<TypeRef>,
    pub owner: Owner,
    // Itself and every class and interface above.
    above: FxHashSet<TypeRef>,
}

#[derive(Debug, Clone)]
pub enum Shape {
    Class(Rc<ClassFile>),
    Array(Type),
}

impl TypeInfo {
    pub fn class(&self) -> Option<&Rc<ClassFile>> {
        match &self.shape {
            Shape::Class(class) => Some(class),
            Shape::Array(_) => None,
        }
    }

    /// With dots, as `Class.getName` says it.
    pub fn dotted_name(&self) -> String {
        self.name.replace('/', ".")
    }
}

/// All classes that were needed so far.
#[derive(Debug)]
pub struct World {
    class_path: ClassPath,
    types: Vec<TypeInfo>,
    by_name: FxHashMap<Rc<str>, Result<TypeRef, Rc<str>>>,
    // Names on the way to being loaded, to notice circles.
    loading: Vec<Rc<str>>,
    // Methods that classes have besides those of their files.
    added: Vec<(String, MethodInfo)>,
}

/// Deeper hierarchies than this are not believed.
const MAX_DEPTH: usize = 200;

impl World {
    pub fn new(class_path: ClassPath) -> World {
        World {
            class_path,
            types: Vec::new(),
            by_name: FxHashMap::default(),
            loading: Vec::new(),
            added: Vec::new(),
        }
    }

    /// Gives a class that is not loaded yet another method.
    pub fn add_method(&mut self, class: &str, method: MethodInfo) {
        self.added.push((class.to_owned(), method));
    }

    pub fn class_path(&self) -> &ClassPath {
        &self.class_path
    }

    /// The name and the file of a class of the user.
    pub fn own_file(&mut self, ty: TypeRef) -> Option<(String, Vec<u8>)> {
        let name = self.name(ty).to_string();
        let found = self.class_path.find(&name).filter(|(_, owner)| *owner == Owner::User);
        found.map(|(bytes, _)| (name, bytes))
    }

    pub fn info(&self, ty: TypeRef) -> &TypeInfo {
        &self.types[ty.index()]
    }

    pub fn types(&self) -> impl Iterator<Item = TypeRef> + use<> {
        (0..u32::try_from(self.types.len()).unwrap_or(u32::MAX)).map(TypeRef)
    }

    pub fn name(&self, ty: TypeRef) -> &Rc<str> {
        &self.info(ty).name
    }

    /// The class or array type of this name; why not, otherwise.
    pub fn load(&mut self, name: &str) -> Result<TypeRef, Rc<str>> {
        if let Some(known) = self.by_name.get(name) {
            return known.clone();
        }
        let name: Rc<str> = name.into();
        if self.loading.contains(&name) || self.loading.len() > MAX_DEPTH {
            return Err(format!("the hierarchy of class {name} is circular").into());
        }
        self.loading.push(Rc::clone(&name));
        let loaded =
            if name.starts_with('[') { self.load_array(&name) } else { self.load_class(&name) };
        self.loading.pop();
        self.by_name.insert(name, loaded.clone());
        loaded
    }

    /// The loaded type of this name, without loading.
    pub fn known(&self, name: &str) -> Option<TypeRef> {
        self.by_name.get(name).and_then(|known| known.as_ref().ok().copied())
    }

    fn load_array(&mut self, name: &Rc<str>) -> Result<TypeRef, Rc<str>> {
        let malformed = || Rc::from(format!("`{name}` is not a type"));
        let element = Type::parse(&name[1..]).ok_or_else(malformed)?;
        if let Type::Ref(element) = &element {
            self.load(element)?;
        }
        let object = self.load("java/lang/Object")?;
        let mut interfaces = Vec::new();
        for interface in ["java/lang/Cloneable", "java/io/Serializable"] {
            interfaces.push(self.load(interface)?);
        }
        Ok(self.add(name, Shape::Array(element), Some(object), interfaces, Owner::Library))
    }

    fn load_class(&mut self, name: &Rc<str>) -> Result<TypeRef, Rc<str>> {
        let Some((bytes, owner)) = self.class_path.find(name) else {
            let dotted = name.replace('/', ".");
            return Err(format!("class {dotted} is not on the class path").into());
        };
        let mut class = ClassFile::read(&bytes)
            .map_err(|error| Rc::from(format!("class file of {name}: {error}")))?;
        if class.name != *name {
            return Err(format!("the class file of {name} defines {}", class.name).into());
        }
        let added = self.added.iter().filter(|(owner, _)| **owner == **name);
        class.methods.extend(added.map(|(_, method)| method.clone()));
        self.define(class, owner)
    }

    /// Adds a class that is there, loading what is above it.
    pub fn define(&mut self, class: ClassFile, owner: Owner) -> Result<TypeRef, Rc<str>> {
        let superclass = match &class.superclass {
            Some(superclass) => Some(self.load(superclass)?),
            None if &*class.name == "java/lang/Object" => None,
            None => return Err(format!("class {} has no superclass", class.name).into()),
        };
        let mut interfaces = Vec::new();
        for interface in &class.interfaces {
            interfaces.push(self.load(interface)?);
        }
        let name = Rc::clone(&class.name);
        let shape = Shape::Class(Rc::new(class));
        let ty = self.add(&name, shape, superclass, interfaces, owner);
        self.by_name.insert(name, Ok(ty));
        Ok(ty)
    }

    fn add(
        &mut self,
        name: &Rc<str>,
        shape: Shape,
        superclass: Option<TypeRef>,
        interfaces: Vec<TypeRef>,
        owner: Owner,
    ) -> TypeRef {
        let ty = TypeRef(u32::try_from(self.types.len()).expect("fewer than 2^32 classes"));
        let mut above = FxHashSet::default();
        above.insert(ty);
        for parent in superclass.iter().chain(&interfaces) {
            above.extend(self.info(*parent).above.iter().copied());
        }
        let name = Rc::clone(name);
        self.types.push(TypeInfo { name, shape, superclass, interfaces, owner, above });
        ty
    }

    pub fn is_subtype(&self, sub: TypeRef, sup: TypeRef) -> bool {
        if self.info(sub).above.contains(&sup) {
            return true;
        }
        match (&self.info(sub).shape, &self.info(sup).shape) {
            (Shape::Array(Type::Ref(sub)), Shape::Array(Type::Ref(sup))) => {
                match (self.known(sub), self.known(sup)) {
                    (Some(sub), Some(sup)) => self.is_subtype(sub, sup),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    pub fn is_interface(&self, ty: TypeRef) -> bool {
        self.info(ty).class().is_some_and(|class| class.access.is_interface())
    }
}
