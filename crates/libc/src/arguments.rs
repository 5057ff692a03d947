//! The variable arguments that a format consumes: those of the call, or those of a `va_list`.

use glassbox_interp::{Address, ExternalResult, Memory};
use glassbox_ir::Ty;

use crate::env::{undefined, unsupported};

pub(crate) enum Arguments {
    Given(std::vec::IntoIter<(u128, Ty)>),
    /// The list's own address; its first eight bytes point to the next argument.
    List(Address),
}

impl Arguments {
    /// The next argument of at least this many bits: an integer or a pointer. Wider ones are cut, as the
    /// machine does when `%d` meets a `long`; narrower ones would show bits that were not passed.
    pub(crate) fn word(
        &mut self,
        memory: &mut Memory,
        width: u8,
        wanted: &str,
    ) -> Result<u64, ExternalResult> {
        let word = match self {
            Arguments::Given(args) => match args.next() {
                Some((word, Ty::Int(given))) if given >= width => word as u64,
                Some((word, Ty::Ptr)) => word as u64,
                // A plain 0 for a pointer or a long is all zeros in a register.
                Some((0, Ty::Int(_))) => 0,
                Some((_, ty)) => {
                    return undefined(format!("`{wanted}` does not fit an argument of type {ty}"));
                }
                None => return undefined(format!("no argument is left for `{wanted}`")),
            },
            Arguments::List(list) => next_slot(memory, *list)?,
        };
        Ok(if width < 64 { word & ((1 << width) - 1) } else { word })
    }

    pub(crate) fn double(
        &mut self,
        memory: &mut Memory,
        wanted: &str,
    ) -> Result<f64, ExternalResult> {
        match self {
            Arguments::Given(args) => match args.next() {
                Some((word, ty)) if ty == Ty::F64 => Ok(f64::from_bits(word as u64)),
                Some((_, ty)) => {
                    undefined(format!("`{wanted}` does not fit an argument of type {ty}"))
                }
                None => undefined(format!("no argument is left for `{wanted}`")),
            },
            Arguments::List(list) => Ok(f64::from_bits(next_slot(memory, *list)?)),
        }
    }

    pub(crate) fn pointer(
        &mut self,
        memory: &mut Memory,
        wanted: &str,
    ) -> Result<Address, ExternalResult> {
        self.word(memory, 64, wanted)
    }
}

fn next_slot(memory: &mut Memory, list: Address) -> Result<u64, ExternalResult> {
    let cursor = memory.load(list, 8)?;
    if cursor == 0 {
        return unsupported("a `va_list` that was not started");
    }
    let word = memory.load(cursor, 8)?;
    memory.store(list, 8, cursor.wrapping_add(8))?;
    Ok(word)
}
