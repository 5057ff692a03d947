//! Memory that a run made as suite.json has it: numbered in the order in which it is found, so that no address is shown.

use glassbox_ir::{PointerSize, Program};
use glassbox_testcase::MadeMemory;

use super::values::{type_name, value};
use crate::data::Value;
use crate::data::test::Made;

/// The memory that one run made.
pub(super) struct Links<'a> {
    program: &'a Program,
    made: &'a [MadeMemory],
}

/// What a pointer to memory that is not shown is called.
const ELSEWHERE: &str = "an address";

/// What a class is called whose name is up to the JVM.
const LAMBDA: &str = "a lambda";

impl<'a> Links<'a> {
    pub(super) fn new(program: &'a Program, made: &'a [MadeMemory]) -> Links<'a> {
        Links { program, made }
    }

    /// All of it.
    pub(super) fn all(&self) -> Vec<Made> {
        self.made.iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(&self, piece: &MadeMemory) -> Made {
        let program = self.program;
        let class = piece.class.and_then(|number| program.object_layout.as_ref()?.get(number));
        let named = class.map(|class| match class.is_nameless {
            true => LAMBDA.to_owned(),
            false => class.name.clone(),
        });
        let elements = piece.elements.iter().map(|element| {
            let mut shown = self.linked(value(program, piece.element_type, element));
            if let Value::Record(members) = &mut shown
                && class.is_some()
            {
                members.retain(|name, _| Value::is_java_field(name));
            }
            shown
        });
        Made {
            class: named,
            type_name: type_name(program, piece.element_type),
            length: piece.length,
            elements: elements.collect(),
        }
    }

    /// The value with numbers of memory in the place of addresses.
    pub(super) fn linked(&self, value: Value) -> Value {
        match value {
            Value::Bytes { bytes } => self.bytes(bytes),
            Value::Union { member, field, value } => {
                Value::Union { member, field, value: Box::new(self.linked(*value)) }
            }
            Value::List(parts) => {
                Value::List(parts.into_iter().map(|part| self.linked(part)).collect())
            }
            Value::Record(members) => {
                let linked = members.into_iter().map(|(name, part)| (name, self.linked(part)));
                Value::Record(linked.collect())
            }
            Value::Null
            | Value::Number(_)
            | Value::Float { .. }
            | Value::Object { .. }
            | Value::Made { .. }
            | Value::Global { .. }
            | Value::Function { .. }
            | Value::Int { .. }
            | Value::Pointer { .. } => value,
        }
    }

    fn bytes(&self, bytes: Vec<u8>) -> Value {
        let (n_bytes, width) = (bytes.len() as u64, self.program.pointers.bytes());
        // Less than an address, of which no more is known, is a part of one.
        if n_bytes < width {
            return Value::Bytes { bytes: Vec::new() };
        }
        if n_bytes > width {
            return Value::Bytes { bytes };
        }
        let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let is_in = |piece: &&MadeMemory| {
            word.checked_sub(piece.address).is_some_and(|offset| offset <= piece.size)
        };
        let least = match self.program.pointers {
            PointerSize::Four => 31,
            PointerSize::Eight => 32,
        };
        let found = self.made.iter().enumerate().find(|(_, piece)| is_in(piece));
        match found {
            Some((made, piece)) => Value::Made { made, offset: word - piece.address },
            // The interpreter's addresses begin there.
            None if word >> least != 0 => Value::Pointer { pointer: ELSEWHERE.to_owned() },
            None => Value::Bytes { bytes },
        }
    }
}
