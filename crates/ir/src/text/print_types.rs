//! Printing source types.

use std::fmt::{self, Write};

use super::names::Named;
use super::print::quoted;
use crate::source_type::{RecordKind, SourceType};

fn optional_name(name: Option<&str>) -> String {
    name.map_or_else(|| "-".to_owned(), quoted)
}

pub(super) fn write_source_type(out: &mut String, ty: &SourceType) -> fmt::Result {
    match ty {
        SourceType::Void => write!(out, "void"),
        SourceType::Bool => write!(out, "bool"),
        SourceType::Int { name, width, signedness, is_char } => {
            let char = if *is_char { " char" } else { "" };
            write!(out, "int {} {width} {}{char}", quoted(name), signedness.name())
        }
        SourceType::Float { name, format } => {
            write!(out, "float {} {} {}", quoted(name), format.exponent, format.significand)
        }
        SourceType::Enum { name, width, signedness, constants } => {
            let name = optional_name(name.as_deref());
            write!(out, "enum {name} {width} {} {{", signedness.name())?;
            for (position, constant) in constants.iter().enumerate() {
                let comma = if position == 0 { " " } else { ", " };
                write!(out, "{comma}{} {}", quoted(&constant.name), constant.value)?;
            }
            write!(out, " }}")
        }
        SourceType::Pointer { target, is_const } => {
            write!(out, "pointer {target}{}", if *is_const { " const" } else { "" })
        }
        SourceType::Array { element, length } => match length {
            Some(length) => write!(out, "array {element} {length}"),
            None => write!(out, "array {element} -"),
        },
        SourceType::Record { kind, name, size, align, fields } => {
            let kind = match kind {
                RecordKind::Struct => "struct",
                RecordKind::Union => "union",
            };
            let name = optional_name(name.as_deref());
            write!(out, "{kind} {name} size {size} align {align}")?;
            let Some(fields) = fields else { return Ok(()) };
            write!(out, " {{")?;
            for (position, field) in fields.iter().enumerate() {
                let comma = if position == 0 { " " } else { ", " };
                let name = optional_name(field.name.as_deref());
                write!(out, "{comma}{name} {} at {}", field.ty, field.offset)?;
                if let Some(bits) = field.bits {
                    write!(out, " bits {} {}", bits.start, bits.width)?;
                }
                if field.is_const {
                    write!(out, " const")?;
                }
            }
            write!(out, " }}")
        }
        SourceType::Function { result, params, is_variadic } => {
            write!(out, "function {result} (")?;
            for (position, param) in params.iter().enumerate() {
                write!(out, "{}{param}", if position == 0 { "" } else { ", " })?;
            }
            write!(out, "){}", if *is_variadic { " variadic" } else { "" })
        }
        SourceType::Named { name, target } => write!(out, "named {} {target}", quoted(name)),
        SourceType::Class(class) => write!(out, "{class}"),
        SourceType::ClassArray { element } => write!(out, "class_array {element}"),
        SourceType::Opaque { name, size, align } => {
            write!(out, "opaque {} size {size} align {align}", quoted(name))
        }
    }
}
