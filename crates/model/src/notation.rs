//! How the source writes the numbers of a type.

use glassbox_ir::{Program, SourceType, SourceTypeId};
use glassbox_terms::Notation;

/// The notation of a variable of this type; unknown for what is no integer.
pub fn notation(program: &Program, ty: SourceTypeId) -> Notation {
    match program.source_type(program.resolve_source_type(ty)) {
        // `signed char` and `unsigned char` are used as small numbers.
        SourceType::Int { name, signedness, .. } if name == "char" => {
            Notation::Character(*signedness)
        }
        SourceType::Int { signedness, .. } | SourceType::Enum { signedness, .. } => {
            Notation::Number(*signedness)
        }
        SourceType::Void
        | SourceType::Bool
        | SourceType::Float { .. }
        | SourceType::Named { .. }
        | SourceType::Opaque { .. }
        | SourceType::Pointer { .. }
        | SourceType::Array { .. }
        | SourceType::Record { .. }
        | SourceType::Function { .. }
        | SourceType::Class(_)
        | SourceType::ClassArray { .. } => Notation::Unknown,
    }
}
