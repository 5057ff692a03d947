//! Functions that write to streams without a format.

use crate::catalog::Model;
use crate::env::{Answer, END, Env, int};
use crate::stream::{STDERR, STDOUT};
use crate::{errors, stream};

/// The functions of the catalogue that this file has bodies for.
pub(crate) const NATIVES: &[(&str, Model)] = &[
    ("putchar", putchar),
    ("putc", fputc),
    ("fputc", fputc),
    ("puts", puts),
    ("fputs", fputs),
    ("fwrite", fwrite),
    ("write", write),
    ("fflush", fflush),
    ("perror", perror),
    ("setvbuf", set_buffering),
    ("setbuf", set_buffering),
    ("setbuffer", set_buffering),
    ("setlinebuf", set_buffering),
];

impl Env<'_> {
    /// The stream argument at this index.
    pub(crate) fn stream(&self, index: usize) -> Result<usize, glassbox_interp::ExternalResult> {
        self.state.streams.find(self.memory, self.pointer(index)?)
    }

    /// Writes; `ok` if it worked, `EOF` if not.
    fn put(&mut self, stream: usize, bytes: &[u8], ok: i32) -> Answer {
        if self.state.streams.write(stream, bytes) {
            return Ok(int(ok));
        }
        self.set_errno(errors::EBADF);
        Ok(int(END))
    }
}

fn putchar(env: &mut Env<'_>) -> Answer {
    let byte = env.int(0)? as u8;
    env.put(STDOUT, &[byte], byte.into())
}

fn fputc(env: &mut Env<'_>) -> Answer {
    let (byte, stream) = (env.int(0)? as u8, env.stream(1)?);
    env.put(stream, &[byte], byte.into())
}

fn puts(env: &mut Env<'_>) -> Answer {
    let mut line = env.string(0)?;
    line.push(b'\n');
    let n_bytes = i32::try_from(line.len()).unwrap_or(i32::MAX);
    env.put(STDOUT, &line, n_bytes)
}

fn fputs(env: &mut Env<'_>) -> Answer {
    let (text, stream) = (env.string(0)?, env.stream(1)?);
    env.put(stream, &text, 1)
}

fn fwrite(env: &mut Env<'_>) -> Answer {
    let (from, size, count) = (env.pointer(0)?, env.size(1)?, env.size(2)?);
    let stream = env.stream(3)?;
    let Some(n_bytes) = size.checked_mul(count) else { return Ok(0) };
    let bytes = env.raw_bytes(from, n_bytes)?;
    if n_bytes > 0 && env.state.streams.write(stream, &bytes) {
        return Ok(count.into());
    }
    Ok(0)
}

/// `write` of unistd.h, on the standard descriptors.
fn write(env: &mut Env<'_>) -> Answer {
    let (descriptor, from, len) = (env.int(0)?, env.pointer(1)?, env.size(2)?);
    let stream = match descriptor {
        1 => stream::STDOUT,
        2 => stream::STDERR,
        _ => {
            env.set_errno(errors::EBADF);
            return Ok(u128::from(u64::MAX));
        }
    };
    let bytes = env.raw_bytes(from, len)?;
    let is_written = env.state.streams.write(stream, &bytes);
    Ok(if is_written { len.into() } else { u128::from(u64::MAX) })
}

fn fflush(env: &mut Env<'_>) -> Answer {
    if env.pointer(0)? != 0 {
        env.stream(0)?;
    }
    env.state.streams.console.flush();
    Ok(0)
}

fn perror(env: &mut Env<'_>) -> Answer {
    let prefix = if env.pointer(0)? == 0 { Vec::new() } else { env.string(0)? };
    let mut line = prefix;
    if !line.is_empty() {
        line.extend_from_slice(b": ");
    }
    line.extend_from_slice(errors::message(env.errno()).as_bytes());
    line.push(b'\n');
    env.put(STDERR, &line, 0)
}

/// `setvbuf`, `setbuf` and the like: buffering is not visible here.
fn set_buffering(_env: &mut Env<'_>) -> Answer {
    Ok(0)
}
