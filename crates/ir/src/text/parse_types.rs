//! Parsing source types.

use glassbox_values::Format;

use super::parse::{Parsed, Parser};
use crate::id::ClassId;
use crate::source_type::{BitRange, EnumConstant, RecordField, RecordKind, SourceType};

impl Parser {
    /// A name, or `-` for none.
    fn optional_name(&mut self) -> Parsed<Option<String>> {
        if self.accept('-') { Ok(None) } else { self.text().map(Some) }
    }

    pub(super) fn source_type(&mut self) -> Parsed<SourceType> {
        if let Some(class) = self.accept_id("class") {
            return Ok(SourceType::Class(ClassId::new(class)));
        }
        Ok(match self.word()?.as_str() {
            "void" => SourceType::Void,
            "bool" => SourceType::Bool,
            "int" => SourceType::Int {
                name: self.text()?,
                width: self.number()?,
                signedness: self.signedness()?,
                is_char: self.accept_word("char"),
            },
            "float" => SourceType::Float {
                name: self.text()?,
                format: Format { exponent: self.number()?, significand: self.number()? },
            },
            "enum" => self.enumeration()?,
            "pointer" => SourceType::Pointer {
                target: self.source_type_id()?,
                is_const: self.accept_word("const"),
            },
            "array" => SourceType::Array {
                element: self.source_type_id()?,
                length: if self.accept('-') { None } else { Some(self.number()?) },
            },
            "struct" => self.record(RecordKind::Struct)?,
            "union" => self.record(RecordKind::Union)?,
            "function" => self.function_type()?,
            "named" => SourceType::Named { name: self.text()?, target: self.source_type_id()? },
            "class_array" => SourceType::ClassArray { element: self.source_type_id()? },
            "opaque" => SourceType::Opaque {
                name: self.text()?,
                size: self.labeled("size")?,
                align: self.labeled("align")?,
            },
            _ => return self.unexpected("a source type"),
        })
    }

    fn enumeration(&mut self) -> Parsed<SourceType> {
        let name = self.optional_name()?;
        let width = self.number()?;
        let signedness = self.signedness()?;
        self.punct('{')?;
        let mut constants = Vec::new();
        while !self.accept('}') {
            constants.push(EnumConstant { name: self.text()?, value: self.number()? });
            self.accept(',');
        }
        Ok(SourceType::Enum { name, width, signedness, constants })
    }

    fn record(&mut self, kind: RecordKind) -> Parsed<SourceType> {
        let name = self.optional_name()?;
        let size = self.labeled("size")?;
        let align = self.labeled("align")?;
        let fields = if self.accept('{') { Some(self.fields()?) } else { None };
        Ok(SourceType::Record { kind, name, size, align, fields })
    }

    fn fields(&mut self) -> Parsed<Vec<RecordField>> {
        let mut fields = Vec::new();
        while !self.accept('}') {
            let name = self.optional_name()?;
            let ty = self.source_type_id()?;
            let offset = self.labeled("at")?;
            let bits = if self.accept_word("bits") {
                Some(BitRange { start: self.number()?, width: self.number()? })
            } else {
                None
            };
            let is_const = self.accept_word("const");
            fields.push(RecordField { name, ty, offset, bits, is_const });
            self.accept(',');
        }
        Ok(fields)
    }

    fn function_type(&mut self) -> Parsed<SourceType> {
        let result = self.source_type_id()?;
        self.punct('(')?;
        let mut params = Vec::new();
        while !self.accept(')') {
            params.push(self.source_type_id()?);
            self.accept(',');
        }
        let is_variadic = self.accept_word("variadic");
        Ok(SourceType::Function { result, params, is_variadic })
    }
}
