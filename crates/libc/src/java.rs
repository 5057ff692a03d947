//! What Java programs call outside themselves: output, `exit`, mathematical functions.

use std::cell::RefCell;
use std::rc::Rc;

use glassbox_interp::java::read_string;
use glassbox_interp::{Address, ExternalCall, ExternalResult, Externals, Memory};
use glassbox_ir::{GlobalId, Program};

use crate::Libc;

/// The library of a machine that runs Java.
#[derive(Debug, Clone)]
pub struct JavaLibrary {
    libc: Libc,
    stdout: Rc<RefCell<Vec<u8>>>,
    stderr: Rc<RefCell<Vec<u8>>>,
}

impl Default for JavaLibrary {
    fn default() -> JavaLibrary {
        JavaLibrary::new()
    }
}

impl JavaLibrary {
    pub fn new() -> JavaLibrary {
        JavaLibrary { libc: Libc::new(), stdout: Rc::default(), stderr: Rc::default() }
    }

    /// What went to `System.err`.
    pub fn stderr(&self) -> Vec<u8> {
        self.stderr.borrow().clone()
    }
}

impl Externals for JavaLibrary {
    fn prepare(
        &mut self,
        program: &Program,
        memory: &mut Memory,
        global_address: &dyn Fn(GlobalId) -> Address,
    ) {
        self.libc.prepare(program, memory, global_address);
    }

    fn reset(&mut self) {
        self.libc.reset();
        self.stdout.borrow_mut().clear();
        self.stderr.borrow_mut().clear();
    }

    fn stdout(&self) -> Vec<u8> {
        self.stdout.borrow().clone()
    }

    fn call(&mut self, memory: &mut Memory, call: &ExternalCall<'_>) -> ExternalResult {
        let name = call.program.function(call.function).name.as_str();
        let stream = match name {
            "glassbox.write" => &self.stdout,
            "glassbox.write_error" => &self.stderr,
            _ => return self.libc.call(memory, call),
        };
        let text = call.args.first().and_then(|&word| u64::try_from(word).ok());
        let text = text.and_then(|address| read_string(memory, call.program, address));
        let Some(text) = text else {
            return ExternalResult::Unsupported("output of something that is no text".to_owned());
        };
        stream.borrow_mut().extend_from_slice(String::from_utf16_lossy(&text).as_bytes());
        ExternalResult::Returned(0)
    }
}
