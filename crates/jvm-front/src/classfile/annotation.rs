//! Annotations of classes, methods and parameters, whatever their retention: what they say of values is for contracts.
//!
//! The JVM ignores them, so a damaged one is as good as none.

use std::rc::Rc;

use super::ClassFileError;
use super::cursor::Cursor;
use super::insn::Constant;
use super::pool::Pool;

/// One annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// Internal name of its class.
    pub name: Rc<str>,
    pub values: Vec<(Rc<str>, AnnotationValue)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnnotationValue {
    /// boolean, byte, char, short, int, long.
    Int(i64),
    Text(Rc<str>),
    /// Anything else.
    Other,
}

/// The annotations of a method.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Of the method itself and of its result.
    pub method: Vec<Annotation>,
    /// By parameter of the source; compilers may have put others before them.
    pub params: Vec<Vec<Annotation>>,
}

impl Annotation {
    /// The name without its package.
    pub fn simple_name(&self) -> &str {
        self.name.rsplit(['/', '$']).next().unwrap_or(&self.name)
    }

    pub fn int(&self, name: &str) -> Option<i64> {
        match self.value(name)? {
            AnnotationValue::Int(value) => Some(*value),
            AnnotationValue::Text(_) | AnnotationValue::Other => None,
        }
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            AnnotationValue::Text(text) => Some(text),
            AnnotationValue::Int(_) | AnnotationValue::Other => None,
        }
    }

    fn value(&self, name: &str) -> Option<&AnnotationValue> {
        self.values.iter().find(|(known, _)| &**known == name).map(|(_, value)| value)
    }
}

impl Annotations {
    /// Takes what an attribute of a method says.
    pub(super) fn add(&mut self, pool: &Pool, attribute: &str, part: Cursor<'_>) {
        let mut part = part;
        // What comes before the damage counts.
        let _damaged = match attribute {
            "RuntimeVisibleAnnotations" | "RuntimeInvisibleAnnotations" => {
                list(pool, &mut part, &mut self.method)
            }
            "RuntimeVisibleParameterAnnotations" | "RuntimeInvisibleParameterAnnotations" => {
                self.add_params(pool, &mut part)
            }
            "RuntimeVisibleTypeAnnotations" | "RuntimeInvisibleTypeAnnotations" => {
                self.add_types(pool, &mut part)
            }
            _ => Ok(()),
        };
    }

    fn param(&mut self, position: usize) -> &mut Vec<Annotation> {
        if self.params.len() <= position {
            self.params.resize(position + 1, Vec::new());
        }
        &mut self.params[position]
    }

    fn add_params(&mut self, pool: &Pool, part: &mut Cursor<'_>) -> Result<(), ClassFileError> {
        for position in 0..usize::from(part.u8()?) {
            list(pool, part, self.param(position))?;
        }
        Ok(())
    }

    /// Annotations of types count where they are about a whole parameter or the whole result (JVMS 4.7.20).
    fn add_types(&mut self, pool: &Pool, part: &mut Cursor<'_>) -> Result<(), ClassFileError> {
        for _ in 0..part.u16()? {
            let target = part.u8()?;
            let position = match target {
                0x16 => Some(usize::from(part.u8()?)),
                0x00 | 0x01 => part.take(1).map(|_| None)?,
                0x10..=0x12 | 0x17 => part.take(2).map(|_| None)?,
                0x13..=0x15 => None,
                _ => return Ok(()),
            };
            let mut is_whole = true;
            for _ in 0..part.u8()? {
                // Steps to the type of a nested class stay with the value.
                is_whole &= part.u8()? == 1;
                part.u8()?;
            }
            let annotation = read(pool, part)?;
            match (target, position) {
                (0x16, Some(position)) if is_whole => self.param(position).push(annotation),
                (0x14, _) if is_whole => self.method.push(annotation),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The annotations of an attribute of a class, as far as it is not damaged.
pub(super) fn of_class(pool: &Pool, part: Cursor<'_>) -> Vec<Annotation> {
    let mut found = Vec::new();
    let mut part = part;
    let _damaged = list(pool, &mut part, &mut found);
    found
}

fn list(
    pool: &Pool,
    part: &mut Cursor<'_>,
    found: &mut Vec<Annotation>,
) -> Result<(), ClassFileError> {
    for _ in 0..part.u16()? {
        found.push(read(pool, part)?);
    }
    Ok(())
}

fn read(pool: &Pool, part: &mut Cursor<'_>) -> Result<Annotation, ClassFileError> {
    let descriptor = pool.name(part.u16()?)?;
    let name = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
    let name = Rc::from(name.unwrap_or(&descriptor));
    let mut values = Vec::new();
    for _ in 0..part.u16()? {
        let name = pool.name(part.u16()?)?;
        values.push((name, value(pool, part, 0)?));
    }
    Ok(Annotation { name, values })
}

fn value(
    pool: &Pool,
    part: &mut Cursor<'_>,
    depth: usize,
) -> Result<AnnotationValue, ClassFileError> {
    if depth > 16 {
        return Err(part.error("annotations inside of annotations without end"));
    }
    Ok(match part.u8()? {
        b'B' | b'C' | b'I' | b'S' | b'Z' | b'J' => match pool.constant(part.u16()?)? {
            Constant::Int(value) => AnnotationValue::Int(value.into()),
            Constant::Long(value) => AnnotationValue::Int(value),
            Constant::Null
            | Constant::Float(_)
            | Constant::Double(_)
            | Constant::String(_)
            | Constant::Class(_)
            | Constant::MethodType(_)
            | Constant::MethodHandle(_)
            | Constant::Dynamic(_) => AnnotationValue::Other,
        },
        b's' => AnnotationValue::Text(pool.name(part.u16()?)?),
        b'e' => part.take(4).map(|_| AnnotationValue::Other)?,
        b'@' => {
            part.u16()?;
            for _ in 0..part.u16()? {
                part.u16()?;
                value(pool, part, depth + 1)?;
            }
            AnnotationValue::Other
        }
        b'[' => {
            for _ in 0..part.u16()? {
                value(pool, part, depth + 1)?;
            }
            AnnotationValue::Other
        }
        // Floating numbers and classes.
        _ => part.take(2).map(|_| AnnotationValue::Other)?,
    })
}
