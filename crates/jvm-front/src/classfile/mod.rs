//! Class files: bytes to classes, fields, methods and code.
//!
//! All versions from 45 on. Every number is checked where it is read, so truncated or hostile files give
//! an error with its place and never a panic; code is decoded on demand, since most methods
//! of most classes are never reached.

pub mod annotation;
pub(crate) mod cursor;
mod decode;
pub mod insn;
pub(crate) mod opcode;
pub(crate) mod pool;

use std::rc::Rc;

use annotation::{Annotation, Annotations};
use cursor::Cursor;
use insn::{Code, Constant, Handle};
use pool::Pool;

/// What is wrong with a class file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassFileError {
    pub what: String,
    /// Bytes from the start of the file, 0 when no single place is wrong.
    pub offset: usize,
}

impl std::fmt::Display for ClassFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.offset {
            0 => write!(f, "{}", self.what),
            offset => write!(f, "{} (at byte {offset})", self.what),
        }
    }
}

/// Access flags of classes, fields and methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access(pub u16);

impl Access {
    pub const PUBLIC: u16 = 0x0001;
    pub const PRIVATE: u16 = 0x0002;
    pub const PROTECTED: u16 = 0x0004;
    pub const STATIC: u16 = 0x0008;
    pub const FINAL: u16 = 0x0010;
    pub const VOLATILE: u16 = 0x0040;
    pub const NATIVE: u16 = 0x0100;
    pub const INTERFACE: u16 = 0x0200;
    pub const ABSTRACT: u16 = 0x0400;
    pub const SYNTHETIC: u16 = 0x1000;

    pub fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    pub fn is_static(self) -> bool {
        self.has(Access::STATIC)
    }

    pub fn is_abstract(self) -> bool {
        self.has(Access::ABSTRACT)
    }

    pub fn is_interface(self) -> bool {
        self.has(Access::INTERFACE)
    }

    pub fn is_final(self) -> bool {
        self.has(Access::FINAL)
    }

    /// Of a field: other threads see and change it.
    pub fn is_volatile(self) -> bool {
        self.has(Access::VOLATILE)
    }

    pub fn is_private(self) -> bool {
        self.has(Access::PRIVATE)
    }
}

/// One class or interface.
#[derive(Debug, Clone)]
pub struct ClassFile {
    pub major: u16,
    pub access: Access,
    /// Internal name, such as `java/util/TreeMap$Entry`.
    pub name: Rc<str>,
    pub superclass: Option<Rc<str>>,
    pub interfaces: Vec<Rc<str>>,
    pub fields: Vec<FieldInfo>,
    pub methods: Vec<MethodInfo>,
    pub source_file: Option<Rc<str>>,
    /// For nested classes: the flags that the source gives them; private where no name reaches them.
    pub nested_access: Option<Access>,
    /// For nested classes: the name that source code uses, with dots.
    pub nested_name: Option<String>,
    /// Only the classes that it names may be below it.
    pub is_sealed: bool,
    pub annotations: Vec<Annotation>,
    /// Components of a record class, in order.
    pub record_components: Vec<(Rc<str>, Rc<str>)>,
    pool: Pool,
    bootstraps: Vec<Bootstrap>,
}

#[derive(Debug, Clone)]
pub struct FieldInfo {
    pub access: Access,
    pub name: Rc<str>,
    pub descriptor: Rc<str>,
    /// `ConstantValue` of a static field.
    pub constant: Option<Constant>,
}

#[derive(Debug, Clone)]
pub struct MethodInfo {
    pub access: Access,
    pub name: Rc<str>,
    pub descriptor: Rc<str>,
    /// The type with its type arguments, where it has some.
    pub signature: Option<Rc<str>>,
    /// The classes of its `throws` clause.
    pub throws: Vec<Rc<str>>,
    pub annotations: Annotations,
    pub code: MethodCode,
}

/// The code of a method, as far as it is known.
#[derive(Debug, Clone)]
pub enum MethodCode {
    /// Abstract or native.
    None,
    /// The `Code` attribute, not decoded yet.
    Raw { bytes: Rc<[u8]>, offset: usize },
    /// Code that no class file holds.
    Made(Rc<Code>),
}

#[derive(Debug, Clone)]
pub(crate) struct Bootstrap {
    pub(crate) handle: Handle,
    pub(crate) args: Vec<Constant>,
}

const MAGIC: u32 = 0xcafe_babe;

impl ClassFile {
    pub fn read(bytes: &[u8]) -> Result<ClassFile, ClassFileError> {
        let mut cursor = Cursor::new(bytes);
        if cursor.u32()? != MAGIC {
            return Err(ClassFileError { what: "this is not a class file".into(), offset: 0 });
        }
        let _minor = cursor.u16()?;
        let major = cursor.u16()?;
        if major < 45 {
            return Err(cursor.error(format!("class-file version {major} does not exist")));
        }
        let pool = Pool::read(&mut cursor)?;
        let access = Access(cursor.u16()?);
        let name = pool.class(cursor.u16()?)?;
        let superclass = match cursor.u16()? {
            0 => None,
            index => Some(pool.class(index)?),
        };
        let n_interfaces = cursor.u16()?;
        let mut interfaces = Vec::new();
        for _ in 0..n_interfaces {
            interfaces.push(pool.class(cursor.u16()?)?);
        }
        let empty = ClassFile::without_members(name, superclass, interfaces);
        let mut class = ClassFile { major, access, pool, ..empty };
        class.read_fields(&mut cursor)?;
        class.read_methods(&mut cursor)?;
        class.read_attributes(&mut cursor)?;
        Ok(class)
    }

    /// A class that no file describes: its methods have made code.
    pub fn made(name: &str, superclass: &str, interfaces: Vec<Rc<str>>) -> ClassFile {
        ClassFile::without_members(name.into(), Some(superclass.into()), interfaces)
    }

    fn without_members(
        name: Rc<str>,
        superclass: Option<Rc<str>>,
        interfaces: Vec<Rc<str>>,
    ) -> ClassFile {
        ClassFile {
            major: 52,
            access: Access(Access::FINAL | Access::SYNTHETIC),
            name,
            superclass,
            interfaces,
            fields: Vec::new(),
            methods: Vec::new(),
            source_file: None,
            nested_access: None,
            nested_name: None,
            is_sealed: false,
            annotations: Vec::new(),
            record_components: Vec::new(),
            pool: Pool::empty(),
            bootstraps: Vec::new(),
        }
    }

    fn read_fields(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ClassFileError> {
        for _ in 0..cursor.u16()? {
            let access = Access(cursor.u16()?);
            let name = self.pool.name(cursor.u16()?)?;
            let descriptor = self.pool.name(cursor.u16()?)?;
            if crate::descriptor::Type::parse(&descriptor).is_none() {
                return Err(cursor.error(format!("`{descriptor}` is not the type of a field")));
            }
            let mut constant = None;
            attributes(&self.pool, cursor, |name, mut part| {
                if name == "ConstantValue" {
                    constant = Some(self.pool.constant(part.u16()?)?);
                }
                Ok(())
            })?;
            self.fields.push(FieldInfo { access, name, descriptor, constant });
        }
        Ok(())
    }

    fn read_methods(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ClassFileError> {
        for _ in 0..cursor.u16()? {
            let access = Access(cursor.u16()?);
            let name = self.pool.name(cursor.u16()?)?;
            let descriptor = self.pool.name(cursor.u16()?)?;
            if crate::descriptor::Signature::parse(&descriptor).is_none() {
                return Err(cursor.error(format!("`{descriptor}` is not the type of a method")));
            }
            let mut code = MethodCode::None;
            let mut signature = None;
            let mut throws = Vec::new();
            let mut annotations = Annotations::default();
            attributes(&self.pool, cursor, |name, mut part| {
                match name {
                    "Code" => {
                        let offset = part.offset();
                        code = MethodCode::Raw { bytes: part.rest().into(), offset };
                    }
                    // Only tests are written with it: a damaged one is as good as none.
                    "Signature" => {
                        signature = part.u16().and_then(|index| self.pool.name(index)).ok();
                    }
                    // The JVM ignores it: so is a damaged one.
                    "Exceptions" => {
                        for _ in 0..part.u16().unwrap_or(0) {
                            throws.extend(part.u16().and_then(|index| self.pool.class(index)).ok());
                        }
                    }
                    attribute if attribute.ends_with("Annotations") => {
                        annotations.add(&self.pool, attribute, part);
                    }
                    _ => {}
                }
                Ok(())
            })?;
            self.methods.push(MethodInfo {
                access,
                name,
                descriptor,
                signature,
                throws,
                annotations,
                code,
            });
        }
        Ok(())
    }

    fn read_attributes(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ClassFileError> {
        let mut source_file = None;
        let mut bootstraps = Vec::new();
        let mut components = Vec::new();
        let mut nested_access = None;
        let mut is_sealed = false;
        let mut annotations = Vec::new();
        let mut nesting: Vec<(Rc<str>, Rc<str>, Rc<str>)> = Vec::new();
        attributes(&self.pool, cursor, |name, mut part| {
            match name {
                "SourceFile" => source_file = Some(self.pool.name(part.u16()?)?),
                "BootstrapMethods" => {
                    for _ in 0..part.u16()? {
                        let handle = self.pool.handle(part.u16()?)?;
                        let mut args = Vec::new();
                        for _ in 0..part.u16()? {
                            args.push(self.pool.constant(part.u16()?)?);
                        }
                        bootstraps.push(Bootstrap { handle, args });
                    }
                }
                "InnerClasses" => {
                    for _ in 0..part.u16()? {
                        let inner = self.pool.class(part.u16()?)?;
                        let outer = part.u16()?;
                        let is_named = outer != 0;
                        let simple = part.u16()?;
                        let flags = part.u16()?;
                        if let (Ok(outer), Ok(simple)) =
                            (self.pool.class(outer), self.pool.name(simple))
                        {
                            nesting.push((Rc::clone(&inner), outer, simple));
                        }
                        if inner == self.name {
                            let hidden = if is_named { 0 } else { Access::PRIVATE };
                            nested_access = Some(Access(flags | hidden));
                        }
                    }
                }
                "PermittedSubclasses" => is_sealed = true,
                "RuntimeVisibleAnnotations" | "RuntimeInvisibleAnnotations" => {
                    annotations.extend(annotation::of_class(&self.pool, part));
                }
                "Record" => {
                    for _ in 0..part.u16()? {
                        let name = self.pool.name(part.u16()?)?;
                        let descriptor = self.pool.name(part.u16()?)?;
                        components.push((name, descriptor));
                        attributes(&self.pool, &mut part, |_, _| Ok(()))?;
                    }
                }
                _ => {}
            }
            Ok(())
        })?;
        self.source_file = source_file;
        self.bootstraps = bootstraps;
        self.record_components = components;
        self.nested_access = nested_access;
        self.is_sealed = is_sealed;
        self.annotations = annotations;
        self.nested_name = nested_name(&self.name, &nesting);
        Ok(())
    }

    /// The decoded code of a method; `None` when it has none.
    pub fn code(&self, method: &MethodInfo) -> Result<Option<Rc<Code>>, ClassFileError> {
        match &method.code {
            MethodCode::None => Ok(None),
            MethodCode::Made(code) => Ok(Some(Rc::clone(code))),
            MethodCode::Raw { bytes, offset } => {
                let decoded = decode::decode(&self.pool, &self.bootstraps, bytes);
                decoded.map(|code| Some(Rc::new(code))).map_err(|error| ClassFileError {
                    offset: error.offset + offset,
                    what: format!("in the code of {}: {}", method.name, error.what),
                })
            }
        }
    }
}

/// The name of a nested class, by (class, class around it, simple name).
fn nested_name(name: &str, nesting: &[(Rc<str>, Rc<str>, Rc<str>)]) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let mut at = name;
    // As many steps as there are entries: a circle ends.
    for _ in nesting {
        let Some((_, outer, simple)) = nesting.iter().find(|(inner, _, _)| &**inner == at) else {
            break;
        };
        parts.push(simple);
        at = outer;
    }
    if parts.is_empty() {
        return None;
    }
    parts.reverse();
    Some(format!("{}.{}", at.replace('/', "."), parts.join(".")))
}

/// Calls `visit` with the name and contents of each attribute.
pub(crate) fn attributes<'a>(
    pool: &Pool,
    cursor: &mut Cursor<'a>,
    mut visit: impl FnMut(&str, Cursor<'a>) -> Result<(), ClassFileError>,
) -> Result<(), ClassFileError> {
    for _ in 0..cursor.u16()? {
        let name = pool.name(cursor.u16()?)?;
        let len = cursor.u32()? as usize;
        let part = cursor.part(len)?;
        visit(&name, part)?;
    }
    Ok(())
}
