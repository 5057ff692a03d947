//! Types of the JVM and their descriptors.

use std::rc::Rc;

use glassbox_ir::Ty;

/// What one entry of the operand stack holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Also boolean, byte, char, short and return addresses.
    Int,
    Long,
    Float,
    Double,
    Ref,
}

impl Kind {
    pub fn ty(self) -> Ty {
        match self {
            Kind::Int => Ty::I32,
            Kind::Long => Ty::I64,
            Kind::Float => Ty::F32,
            Kind::Double => Ty::F64,
            Kind::Ref => Ty::Ptr,
        }
    }

    /// Takes two entries of the JVM's stack and two local variables.
    pub fn is_wide(self) -> bool {
        matches!(self, Kind::Long | Kind::Double)
    }
}

/// Primitive types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Prim {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
}

impl Prim {
    pub const ALL: [Prim; 8] = [
        Prim::Boolean,
        Prim::Byte,
        Prim::Char,
        Prim::Short,
        Prim::Int,
        Prim::Long,
        Prim::Float,
        Prim::Double,
    ];

    pub fn kind(self) -> Kind {
        match self {
            Prim::Boolean | Prim::Byte | Prim::Char | Prim::Short | Prim::Int => Kind::Int,
            Prim::Long => Kind::Long,
            Prim::Float => Kind::Float,
            Prim::Double => Kind::Double,
        }
    }

    /// The type in signatures and in memory. Booleans are `Int(1)`: one byte in memory, 0 or 1.
    pub fn ty(self) -> Ty {
        match self {
            Prim::Boolean => Ty::BOOL,
            Prim::Byte => Ty::I8,
            Prim::Char | Prim::Short => Ty::I16,
            Prim::Int => Ty::I32,
            Prim::Long => Ty::I64,
            Prim::Float => Ty::F32,
            Prim::Double => Ty::F64,
        }
    }

    pub fn letter(self) -> char {
        match self {
            Prim::Boolean => 'Z',
            Prim::Byte => 'B',
            Prim::Char => 'C',
            Prim::Short => 'S',
            Prim::Int => 'I',
            Prim::Long => 'J',
            Prim::Float => 'F',
            Prim::Double => 'D',
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Prim::Boolean => "boolean",
            Prim::Byte => "byte",
            Prim::Char => "char",
            Prim::Short => "short",
            Prim::Int => "int",
            Prim::Long => "long",
            Prim::Float => "float",
            Prim::Double => "double",
        }
    }

    /// The class that boxes it.
    pub fn box_class(self) -> &'static str {
        match self {
            Prim::Boolean => "java/lang/Boolean",
            Prim::Byte => "java/lang/Byte",
            Prim::Char => "java/lang/Character",
            Prim::Short => "java/lang/Short",
            Prim::Int => "java/lang/Integer",
            Prim::Long => "java/lang/Long",
            Prim::Float => "java/lang/Float",
            Prim::Double => "java/lang/Double",
        }
    }

    fn of_letter(letter: u8) -> Option<Prim> {
        Prim::ALL.into_iter().find(|prim| prim.letter() == char::from(letter))
    }
}

/// The type of a field, parameter or result.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    Prim(Prim),
    /// A class by internal name (`java/lang/String`), or an array by descriptor (`[I`): what a class
    /// constant of the class file holds.
    Ref(Rc<str>),
}

impl Type {
    pub fn kind(&self) -> Kind {
        match self {
            Type::Prim(prim) => prim.kind(),
            Type::Ref(_) => Kind::Ref,
        }
    }

    /// The type in signatures and in memory.
    pub fn ty(&self) -> Ty {
        match self {
            Type::Prim(prim) => prim.ty(),
            Type::Ref(_) => Ty::Ptr,
        }
    }

    pub fn size(&self) -> u64 {
        self.ty().size(glassbox_ir::PointerSize::Eight)
    }

    /// A field descriptor; `None` when it is not one.
    pub fn parse(descriptor: &str) -> Option<Type> {
        let (ty, rest) = parse_one(descriptor)?;
        rest.is_empty().then_some(ty)
    }

    pub fn descriptor(&self) -> String {
        match self {
            Type::Prim(prim) => prim.letter().to_string(),
            Type::Ref(name) if name.starts_with('[') => name.to_string(),
            Type::Ref(name) => format!("L{name};"),
        }
    }

    /// As Java source spells it.
    pub fn java_name(&self) -> String {
        match self {
            Type::Prim(prim) => prim.name().to_owned(),
            Type::Ref(name) => match name.strip_prefix('[').map(Type::parse) {
                Some(Some(element)) => format!("{}[]", element.java_name()),
                _ => name.replace('/', "."),
            },
        }
    }
}

fn parse_one(text: &str) -> Option<(Type, &str)> {
    let first = *text.as_bytes().first()?;
    if let Some(prim) = Prim::of_letter(first) {
        return Some((Type::Prim(prim), &text[1..]));
    }
    match first {
        b'L' => {
            let end = text.find(';')?;
            let name = &text[1..end];
            let is_name = !name.is_empty() && !name.contains('[');
            is_name.then(|| (Type::Ref(name.into()), &text[end + 1..]))
        }
        b'[' => {
            let n_dimensions = text.bytes().take_while(|&byte| byte == b'[').count();
            if n_dimensions > 255 {
                return None;
            }
            let (_, rest) = parse_one(&text[n_dimensions..])?;
            Some((Type::Ref(text[..text.len() - rest.len()].into()), rest))
        }
        _ => None,
    }
}

/// Parameters and result of a method.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signature {
    pub params: Vec<Type>,
    /// `None` for void.
    pub result: Option<Type>,
}

impl Signature {
    /// A method descriptor; `None` when it is not one.
    pub fn parse(descriptor: &str) -> Option<Signature> {
        let mut rest = descriptor.strip_prefix('(')?;
        let mut params = Vec::new();
        while !rest.starts_with(')') {
            let (ty, tail) = parse_one(rest)?;
            params.push(ty);
            rest = tail;
        }
        let rest = &rest[1..];
        if rest == "V" {
            return Some(Signature { params, result: None });
        }
        Some(Signature { params, result: Some(Type::parse(rest)?) })
    }

    pub fn descriptor(&self) -> String {
        let params: String = self.params.iter().map(Type::descriptor).collect();
        let result = self.result.as_ref().map_or("V".to_owned(), Type::descriptor);
        format!("({params}){result}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_read_and_written() {
        for text in ["()V", "(IJ[[DLjava/lang/String;Z)[Ljava/lang/Object;", "(BCSF)I"] {
            assert_eq!(Signature::parse(text).map(|s| s.descriptor()).as_deref(), Some(text));
        }
    }

    #[test]
    fn malformed_descriptors_are_refused() {
        for text in ["", "(", "()", "(L;)V", "(Lx)V", "([)V", "()VV", "(V)V", "I", "(II)"] {
            assert_eq!(Signature::parse(text), None, "{text}");
        }
    }
}
