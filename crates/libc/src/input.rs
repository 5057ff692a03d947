//! Functions that read from streams without a format.

use glassbox_interp::{Address, ExternalResult, ObjectState};

use crate::catalog::Model;
use crate::env::{Answer, END, Env, int, long};
use crate::errors;
use crate::stream::STDIN;

/// The functions of the catalogue that this file has bodies for.
pub(crate) const NATIVES: &[(&str, Model)] = &[
    ("getchar", getchar),
    ("getc", fgetc),
    ("fgetc", fgetc),
    ("ungetc", ungetc),
    ("fgets", fgets),
    ("gets", gets),
    ("fread", fread),
    ("read", read),
    ("getline", getline),
    ("getdelim", getdelim),
    ("feof", feof),
    ("ferror", ferror),
    ("clearerr", clearerr),
];

/// Reads a byte from a stream as an `int`.
fn get(env: &mut Env<'_>, stream: usize) -> Answer {
    let byte = env.state.streams.read_byte(stream);
    if byte.is_none() && !env.state.streams.can_read(stream) {
        env.set_errno(errors::EBADF);
    }
    Ok(byte.map_or(int(END), u128::from))
}

fn getchar(env: &mut Env<'_>) -> Answer {
    get(env, STDIN)
}

fn fgetc(env: &mut Env<'_>) -> Answer {
    let stream = env.stream(0)?;
    get(env, stream)
}

fn ungetc(env: &mut Env<'_>) -> Answer {
    let (byte, stream) = (env.int(0)?, env.stream(1)?);
    if byte == END {
        return Ok(int(END));
    }
    env.state.streams.push_back(stream, byte as u8);
    Ok(u128::from(byte as u8))
}

fn fgets(env: &mut Env<'_>) -> Answer {
    let (to, room, stream) = (env.pointer(0)?, env.int(1)?, env.stream(2)?);
    if room <= 0 {
        return Ok(0);
    }
    let mut line = Vec::new();
    while line.len() + 1 < room as usize {
        match env.state.streams.read_byte(stream) {
            Some(byte) => line.push(byte),
            None => break,
        }
        if line.last() == Some(&b'\n') {
            break;
        }
    }
    if line.is_empty() && room > 1 {
        return Ok(0);
    }
    line.push(0);
    env.memory.write(to, &line)?;
    Ok(to.into())
}

/// `gets`: gone from C11 because nothing bounds it; here the memory does.
fn gets(env: &mut Env<'_>) -> Answer {
    let to = env.pointer(0)?;
    let mut line = Vec::new();
    let is_ended = loop {
        match env.state.streams.read_byte(STDIN) {
            Some(b'\n') => break true,
            Some(byte) => line.push(byte),
            None => break false,
        }
    };
    if line.is_empty() && !is_ended {
        return Ok(0);
    }
    line.push(0);
    env.memory.write(to, &line)?;
    Ok(to.into())
}

fn fread(env: &mut Env<'_>) -> Answer {
    let (to, size, count) = (env.pointer(0)?, env.size(1)?, env.size(2)?);
    let stream = env.stream(3)?;
    let Some(n_bytes) = size.checked_mul(count) else { return Ok(0) };
    if n_bytes == 0 {
        return Ok(0);
    }
    env.memory.check_write(to, n_bytes)?;
    let bytes = read_some(env, stream, n_bytes);
    env.memory.write(to, &bytes)?;
    Ok(u128::from(bytes.len() as u64 / size))
}

fn read_some(env: &mut Env<'_>, stream: usize, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < limit {
        match env.state.streams.read_byte(stream) {
            Some(byte) => bytes.push(byte),
            None => break,
        }
    }
    bytes
}

/// `read` of unistd.h, on standard input.
fn read(env: &mut Env<'_>) -> Answer {
    let (descriptor, to, limit) = (env.int(0)?, env.pointer(1)?, env.size(2)?);
    if descriptor != 0 {
        env.set_errno(errors::EBADF);
        return Ok(long(-1));
    }
    env.memory.check_write(to, limit)?;
    let bytes = read_some(env, STDIN, limit);
    env.memory.write(to, &bytes)?;
    Ok(u128::from(bytes.len() as u64))
}

fn getline(env: &mut Env<'_>) -> Answer {
    let stream = env.stream(2)?;
    read_delimited(env, b'\n', stream)
}

fn getdelim(env: &mut Env<'_>) -> Answer {
    let (delimiter, stream) = (env.int(2)? as u8, env.stream(3)?);
    read_delimited(env, delimiter, stream)
}

/// Bytes that glibc allocates for a line, at least.
const LEAST_ROOM: u64 = 120;

fn read_delimited(env: &mut Env<'_>, delimiter: u8, stream: usize) -> Answer {
    let (line_at, size_at) = (env.pointer(0)?, env.pointer(1)?);
    let mut line = Vec::new();
    while line.last() != Some(&delimiter) {
        match env.state.streams.read_byte(stream) {
            Some(byte) => line.push(byte),
            None => break,
        }
    }
    let old = env.memory.load_pointer(line_at)?;
    if line.is_empty() {
        // glibc makes room before it reads.
        if old == 0 {
            let new = env.allocate(vec![0; LEAST_ROOM as usize])?;
            env.memory.store_pointer(line_at, new)?;
            env.memory.store_pointer(size_at, LEAST_ROOM)?;
        }
        return Ok(long(-1));
    }
    let length = line.len() as i64;
    line.push(0);
    let room = if old == 0 { 0 } else { env.memory.load_pointer(size_at)? };
    if (line.len() as u64) <= room {
        env.memory.write(old, &line)?;
        return Ok(long(length));
    }
    // Grows as glibc does: by doubling, at least 120 bytes.
    let new_room = (line.len() as u64).max(room * 2).max(LEAST_ROOM);
    line.resize(new_room as usize, 0);
    let new = env.allocate(line)?;
    replace_block(env, old)?;
    env.memory.store_pointer(line_at, new)?;
    env.memory.store_pointer(size_at, new_room)?;
    Ok(long(length))
}

fn replace_block(env: &mut Env<'_>, old: Address) -> Result<(), ExternalResult> {
    if old == 0 {
        return Ok(());
    }
    env.memory.locate(old, 0)?;
    if let Some((id, _)) = env.memory.resolve(old) {
        env.memory.release(id, ObjectState::Freed(env.call.span));
    }
    Ok(())
}

fn feof(env: &mut Env<'_>) -> Answer {
    let stream = env.stream(0)?;
    Ok(env.state.streams.stream(stream).at_end.into())
}

fn ferror(env: &mut Env<'_>) -> Answer {
    let stream = env.stream(0)?;
    Ok(env.state.streams.stream(stream).has_error.into())
}

fn clearerr(env: &mut Env<'_>) -> Answer {
    let stream = env.stream(0)?;
    let stream = env.state.streams.stream(stream);
    stream.at_end = false;
    stream.has_error = false;
    Ok(0)
}
