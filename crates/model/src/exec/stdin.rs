//! Standard input as an input: its bytes and how many there are.

use glassbox_ir::Span;
use glassbox_terms::{Sort, TermId};

use super::{Executor, Stop};
use crate::value::{SymPtr, SymValue};

/// Bytes that standard input has at most. A refutation that needs this bound says so.
const MAX_BYTES: u64 = 32;

/// Functions that read in ways that are not followed here.
pub(crate) const OTHER_READERS: &[&str] = &[
    "scanf",
    "fscanf",
    "vscanf",
    "vfscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc23_scanf",
    "__isoc23_fscanf",
    "fgets",
    "gets",
    "fread",
    "read",
    "getline",
    "getdelim",
    "ungetc",
];

impl Executor<'_> {
    /// The result of reading one byte: the byte, or -1 at the end of the input.
    pub(crate) fn read_byte(&mut self) -> Result<TermId, Stop> {
        let length = match self.inputs.stdin_length {
            Some(length) => length,
            None => {
                let length = self.inputs.variable(self.terms, "length(stdin)", Sort::Bv(64));
                self.inputs.stdin_length = Some(length);
                let most = self.terms.bv_u(MAX_BYTES.into(), 64);
                let at_most = self.terms.bv_ule(length, most);
                self.inputs.note_bound_fact(at_most);
                self.assume(at_most)?;
                length
            }
        };
        let position = self.inputs.stdin.len();
        let byte = self.inputs.variable(self.terms, &format!("stdin[{position}]"), Sort::Bv(8));
        self.inputs.stdin.push(byte);
        let index = self.terms.bv_u(position as u128, 64);
        let is_there = self.terms.bv_ult(index, length);
        let wide = self.terms.bv_zero_extend(32, byte);
        let end = self.terms.bv_s(-1, 32);
        Ok(self.terms.ite(is_there, wide, end))
    }

    /// Whether a stream is the program's `stdin`.
    pub(crate) fn is_stdin(&self, stream: Option<&SymValue>) -> bool {
        match stream {
            Some(SymValue::Ptr(SymPtr::Input(id))) => {
                self.inputs.pointers[id.0 as usize].name == "stdin"
            }
            Some(SymValue::Ptr(_) | SymValue::Term(_)) | None => false,
        }
    }

    /// `getchar` and its kin; `None` if the function is none of them.
    pub(crate) fn call_reader(
        &mut self,
        name: &str,
        args: &[SymValue],
        span: Span,
    ) -> Result<Option<TermId>, Stop> {
        match name {
            "getchar" | "getchar_unlocked" => self.read_byte().map(Some),
            "getc" | "fgetc" | "getc_unlocked" | "_IO_getc" => {
                if self.is_stdin(args.first()) {
                    return self.read_byte().map(Some);
                }
                self.unsupported(format!("`{name}` on a stream other than `stdin`"), span)
            }
            _ if OTHER_READERS.contains(&name) => {
                self.unsupported(format!("input through `{name}`"), span)
            }
            _ => Ok(None),
        }
    }
}
