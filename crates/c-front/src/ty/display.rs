//! Types as C spells them, for messages.

use super::kind::{
    ArrayLength, FloatKind, FunctionType, IntKind, PrototypeStyle, Qualifiers, TypeId, TypeKind,
};
use super::record::RecordKind;
use super::table::TypeTable;
use crate::names::Names;

impl IntKind {
    pub const fn text(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char => "char",
            IntKind::SignedChar => "signed char",
            IntKind::UnsignedChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UnsignedShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UnsignedInt => "unsigned int",
            IntKind::Long | IntKind::Long32 => "long",
            IntKind::UnsignedLong | IntKind::UnsignedLong32 => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::UnsignedLongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UnsignedInt128 => "unsigned __int128",
        }
    }
}

impl FloatKind {
    pub const fn text(self) -> &'static str {
        match self {
            FloatKind::Float16 => "_Float16",
            FloatKind::Float => "float",
            FloatKind::Float32 => "_Float32",
            FloatKind::Double => "double",
            FloatKind::Float64 => "_Float64",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "__float128",
        }
    }
}

impl TypeTable {
    /// The type as a C abstract declarator, such as `int (*)[3]`.
    pub fn show(&self, ty: TypeId, names: &Names) -> String {
        self.show_around(ty, String::new(), names, 0)
    }

    fn show_around(&self, ty: TypeId, inner: String, names: &Names, depth: u32) -> String {
        if depth > 50 {
            return format!("... {inner}");
        }
        let depth = depth + 1;
        let quals = qualifier_text(self.get(ty).qualifiers);
        let leaf = |text: &str| {
            let space = if inner.is_empty() { "" } else { " " };
            format!("{quals}{text}{space}{inner}")
        };
        match self.kind(ty) {
            TypeKind::Void => leaf("void"),
            TypeKind::Int(kind) => leaf(kind.text()),
            TypeKind::Float(kind) => leaf(kind.text()),
            TypeKind::Complex(kind) => leaf(&format!("{} _Complex", kind.text())),
            TypeKind::Error => leaf("<error>"),
            TypeKind::Enum(id) => {
                let tag = self.enumeration(*id).tag.map_or("<unnamed>", |tag| names.text(tag));
                leaf(&format!("enum {tag}"))
            }
            TypeKind::Record(id) => {
                let record = self.record(*id);
                let word = match record.kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Union => "union",
                };
                match (record.tag, record.typedef_name) {
                    (Some(tag), _) => leaf(&format!("{word} {}", names.text(tag))),
                    (None, Some(name)) => leaf(names.text(name)),
                    (None, None) => leaf(&format!("{word} <unnamed>")),
                }
            }
            TypeKind::Vector { element, bytes } => {
                leaf(&format!("vector({bytes}) {}", self.show(*element, names)))
            }
            TypeKind::Pointer(target) => {
                let wrapped = self.is_array(*target) || self.is_function(*target);
                let star = format!("*{}{inner}", quals.trim_end());
                let inner = if wrapped { format!("({star})") } else { star };
                self.show_around(*target, inner, names, depth)
            }
            TypeKind::Array { element, length } => {
                let length = match length {
                    ArrayLength::Fixed(n) => n.to_string(),
                    ArrayLength::Unknown => String::new(),
                    ArrayLength::Variable(_) | ArrayLength::Star => "*".to_string(),
                };
                self.show_around(*element, format!("{inner}[{length}]"), names, depth)
            }
            TypeKind::Function(function) => {
                let parameters = self.show_parameters(function, names, depth);
                self.show_around(function.result, format!("{inner}({parameters})"), names, depth)
            }
        }
    }

    fn show_parameters(&self, function: &FunctionType, names: &Names, depth: u32) -> String {
        if function.style != PrototypeStyle::Prototype {
            return String::new();
        }
        let show = |&ty: &TypeId| self.show_around(ty, String::new(), names, depth);
        let mut parts: Vec<String> = function.parameters.iter().map(show).collect();
        if function.is_variadic {
            parts.push("...".into());
        } else if parts.is_empty() {
            parts.push("void".into());
        }
        parts.join(", ")
    }
}

fn qualifier_text(qualifiers: Qualifiers) -> String {
    let mut text = String::new();
    for (on, word) in [
        (qualifiers.is_const, "const "),
        (qualifiers.is_volatile, "volatile "),
        (qualifiers.is_restrict, "restrict "),
        (qualifiers.is_atomic, "_Atomic "),
    ] {
        if on {
            text.push_str(word);
        }
    }
    text
}
