//! Opening, closing and moving about in files, all of them in memory.

use crate::catalog::Model;
use crate::env::{Answer, END, Env, int, long, unsupported};
use crate::errors;
use crate::stream::Mode;
use glassbox_interp::Address;

/// The functions of the catalogue that this file has bodies for.
pub(crate) const NATIVES: &[(&str, Model)] = &[
    ("fopen", fopen),
    ("freopen", freopen),
    ("fdopen", fdopen),
    ("tmpfile", tmpfile),
    ("tmpnam", tmpnam),
    ("fclose", fclose),
    ("remove", remove),
    ("rename", rename),
    ("fseek", fseek),
    ("ftell", ftell),
    ("rewind", rewind),
    ("fileno", fileno),
];

/// The mode and whether the file must exist and is emptied; `None` for a string that is no mode.
fn parse_mode(text: &[u8]) -> Option<(Mode, bool, bool)> {
    let is_update = text.iter().skip(1).any(|&c| c == b'+');
    let mode = |can_read, can_write, appends| Mode {
        can_read: can_read || is_update,
        can_write: can_write || is_update,
        appends,
    };
    match text.first()? {
        b'r' => Some((mode(true, false, false), true, false)),
        b'w' => Some((mode(false, true, false), false, true)),
        b'a' => Some((mode(false, true, true), false, false)),
        _ => None,
    }
}

/// The file and mode for `fopen` and `freopen`; sets errno when there is none.
fn find_file(env: &mut Env<'_>) -> Result<Option<(usize, Mode)>, glassbox_interp::ExternalResult> {
    let (name, mode) = (env.string(0)?, env.string(1)?);
    let Some((mode, must_exist, truncate)) = parse_mode(&mode) else {
        env.set_errno(errors::EINVAL);
        return Ok(None);
    };
    if (must_exist || name.is_empty()) && !env.state.streams.has_file(&name) {
        env.set_errno(errors::ENOENT);
        return Ok(None);
    }
    if !is_plain(&name) && !env.state.streams.has_file(&name) {
        return unsupported("a file that is made in a folder that may not be there");
    }
    Ok(Some((env.state.streams.file(Some(name), truncate), mode)))
}

/// Whether it is certain that a new file can have this name: in the current folder, or in the one for temporary files.
fn is_plain(name: &[u8]) -> bool {
    const LONGEST: usize = 255;
    let name = name.strip_prefix(b"/tmp/").unwrap_or(name);
    !name.is_empty()
        && !name.contains(&b'/')
        && ![&b"."[..], b".."].contains(&name)
        && name.len() <= LONGEST
}

/// What a call that opens a file finds, where the input says so: null, or a stream on a file of this name.
fn given(
    env: &mut Env<'_>,
    name: Option<Vec<u8>>,
    mode: &[u8],
) -> Result<Option<Address>, glassbox_interp::ExternalResult> {
    let Some(found) = env.state.streams.next_given() else { return Ok(None) };
    let Some((mode, _, is_emptied)) = parse_mode(mode) else {
        env.set_errno(errors::EINVAL);
        return Ok(Some(0));
    };
    let Some(contents) = found else {
        env.set_errno(errors::ENOENT);
        return Ok(Some(0));
    };
    let contents = if is_emptied { Vec::new() } else { contents };
    let file = env.state.streams.put_file(name, contents);
    let address = env.state.streams.open(env.memory, file, mode, env.call.span);
    Ok(Some(address.unwrap_or(0)))
}

fn fdopen(env: &mut Env<'_>) -> Answer {
    let (_, mode) = (env.int(0)?, env.string(1)?);
    match given(env, None, &mode)? {
        Some(address) => Ok(address.into()),
        None => unsupported("a descriptor that is open"),
    }
}

fn fopen(env: &mut Env<'_>) -> Answer {
    let (name, mode) = (env.string(0)?, env.string(1)?);
    if let Some(address) = given(env, Some(name), &mode)? {
        return Ok(address.into());
    }
    let Some((file, mode)) = find_file(env)? else { return Ok(0) };
    let address = env.state.streams.open(env.memory, file, mode, env.call.span);
    Ok(address.unwrap_or(0).into())
}

fn freopen(env: &mut Env<'_>) -> Answer {
    let stream = env.stream(2)?;
    if env.pointer(0)? == 0 {
        return unsupported("changing the mode of an open stream");
    }
    let Some((file, mode)) = find_file(env)? else { return Ok(0) };
    env.state.streams.redirect(stream, file, mode);
    Ok(env.state.streams.address(stream).into())
}

fn tmpfile(env: &mut Env<'_>) -> Answer {
    if let Some(address) = given(env, None, b"w+b")? {
        return Ok(address.into());
    }
    let file = env.state.streams.file(None, true);
    let mode = Mode { can_read: true, can_write: true, appends: false };
    let address = env.state.streams.open(env.memory, file, mode, env.call.span);
    Ok(address.unwrap_or(0).into())
}

fn tmpnam(env: &mut Env<'_>) -> Answer {
    let to = env.pointer(0)?;
    if to == 0 {
        return unsupported("without a buffer");
    }
    let mut name = env.state.streams.next_temporary_name();
    name.push(0);
    env.memory.write(to, &name)?;
    Ok(to.into())
}

fn fclose(env: &mut Env<'_>) -> Answer {
    let stream = env.stream(0)?;
    env.state.streams.close(env.memory, stream, env.call.span);
    Ok(0)
}

fn remove(env: &mut Env<'_>) -> Answer {
    let name = env.string(0)?;
    if env.state.streams.take_name(&name).is_some() {
        return Ok(0);
    }
    env.set_errno(errors::ENOENT);
    Ok(int(END))
}

fn rename(env: &mut Env<'_>) -> Answer {
    let (from, to) = (env.string(0)?, env.string(1)?);
    match env.state.streams.take_name(&from) {
        Some(file) => {
            env.state.streams.give_name(to, file);
            Ok(0)
        }
        None => {
            env.set_errno(errors::ENOENT);
            Ok(int(END))
        }
    }
}

fn fseek(env: &mut Env<'_>) -> Answer {
    let (stream, offset, whence) = (env.stream(0)?, env.long(1)?, env.int(2)?);
    let streams = &mut env.state.streams;
    let base = match whence {
        0 => Some(0),
        1 => streams.tell(stream),
        2 => streams.length(stream),
        _ => None,
    };
    let to = base.filter(|_| streams.length(stream).is_some());
    let to = to.and_then(|base| usize::try_from((base as i64).checked_add(offset)?).ok());
    match to {
        Some(position) => {
            streams.seek(stream, position);
            Ok(0)
        }
        None => {
            let is_file = streams.length(stream).is_some();
            env.set_errno(if is_file { errors::EINVAL } else { errors::ESPIPE });
            Ok(int(END))
        }
    }
}

fn ftell(env: &mut Env<'_>) -> Answer {
    let stream = env.stream(0)?;
    if env.state.streams.length(stream).is_none() {
        env.set_errno(errors::ESPIPE);
        return Ok(long(-1));
    }
    Ok(long(env.state.streams.tell(stream).map_or(-1, |position| position as i64)))
}

fn rewind(env: &mut Env<'_>) -> Answer {
    let stream = env.stream(0)?;
    if env.state.streams.length(stream).is_some() {
        env.state.streams.seek(stream, 0);
    }
    env.state.streams.stream(stream).has_error = false;
    Ok(0)
}

/// The number that the standard streams have elsewhere.
fn fileno(env: &mut Env<'_>) -> Answer {
    Ok(int(i32::try_from(env.stream(0)?).unwrap_or(END)))
}
