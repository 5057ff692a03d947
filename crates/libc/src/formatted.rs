//! The `printf` and `scanf` families: where the format goes to and comes from.

use glassbox_interp::{Address, ExternalResult};

use crate::arguments::Arguments;
use crate::catalog::Model;
use crate::env::{Answer, END, Env, int, unsupported};
use crate::printf::{self, Formatted};
use crate::scanf::{self, Source};
use crate::stream::{STDIN, STDOUT};
use crate::{errors, scanf::scan};

/// The functions of the catalogue that this file has bodies for.
pub(crate) const NATIVES: &[(&str, Model)] = &[
    ("printf", printf),
    ("vprintf", vprintf),
    ("fprintf", fprintf),
    ("vfprintf", vfprintf),
    ("dprintf", dprintf),
    ("sprintf", sprintf),
    ("vsprintf", vsprintf),
    ("snprintf", snprintf),
    ("vsnprintf", vsnprintf),
    ("asprintf", asprintf),
    ("vasprintf", vasprintf),
    ("scanf", scanf),
    ("vscanf", vscanf),
    ("fscanf", fscanf),
    ("vfscanf", vfscanf),
    ("__glassbox_vsscanf", vsscanf),
    ("wprintf", wide),
    ("fwprintf", wide),
    ("swprintf", wide),
    ("wscanf", wide),
    ("fwscanf", wide),
    ("swscanf", wide),
    ("putwchar", wide),
    ("getwchar", wide),
    ("fgetwc", wide),
    ("fputwc", wide),
    ("fgetws", wide),
    ("fputws", wide),
];

/// The bytes of a format, or `None` when it cannot be written.
fn bytes(
    env: &mut Env<'_>,
    format: usize,
    args: Arguments,
) -> Result<Option<Vec<u8>>, ExternalResult> {
    let format = env.pointer(format)?;
    Ok(match printf::format(env, format, args)? {
        Formatted::Bytes(bytes) => Some(bytes),
        Formatted::BadCharacter => None,
    })
}

fn count(bytes: &[u8]) -> u128 {
    int(i32::try_from(bytes.len()).unwrap_or(END))
}

fn print_to(env: &mut Env<'_>, stream: usize, format: usize, args: Arguments) -> Answer {
    let Some(text) = bytes(env, format, args)? else { return Ok(int(END)) };
    if env.state.streams.write(stream, &text) {
        return Ok(count(&text));
    }
    env.set_errno(errors::EBADF);
    Ok(int(END))
}

fn printf(env: &mut Env<'_>) -> Answer {
    let args = env.arguments_from(1);
    print_to(env, STDOUT, 0, args)
}

fn vprintf(env: &mut Env<'_>) -> Answer {
    let args = env.list(1)?;
    print_to(env, STDOUT, 0, args)
}

fn fprintf(env: &mut Env<'_>) -> Answer {
    let (stream, args) = (env.stream(0)?, env.arguments_from(2));
    print_to(env, stream, 1, args)
}

fn vfprintf(env: &mut Env<'_>) -> Answer {
    let (stream, args) = (env.stream(0)?, env.list(2)?);
    print_to(env, stream, 1, args)
}

/// `dprintf`, on the standard descriptors.
fn dprintf(env: &mut Env<'_>) -> Answer {
    let (descriptor, args) = (env.int(0)?, env.arguments_from(2));
    match descriptor {
        1 | 2 => print_to(env, descriptor as usize, 1, args),
        _ => {
            env.set_errno(errors::EBADF);
            Ok(int(END))
        }
    }
}

fn write_string(env: &mut Env<'_>, format: usize, args: Arguments) -> Answer {
    let to = env.pointer(0)?;
    let Some(mut text) = bytes(env, format, args)? else { return Ok(int(END)) };
    let written = count(&text);
    text.push(0);
    env.memory.write(to, &text)?;
    Ok(written)
}

fn sprintf(env: &mut Env<'_>) -> Answer {
    let args = env.arguments_from(2);
    write_string(env, 1, args)
}

fn vsprintf(env: &mut Env<'_>) -> Answer {
    let args = env.list(2)?;
    write_string(env, 1, args)
}

fn write_bounded(env: &mut Env<'_>, args: Arguments) -> Answer {
    let (to, room) = (env.pointer(0)?, env.size(1)?);
    let Some(mut text) = bytes(env, 2, args)? else { return Ok(int(END)) };
    let wanted = count(&text);
    if room > 0 {
        text.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX));
        text.push(0);
        env.memory.write(to, &text)?;
    }
    Ok(wanted)
}

fn snprintf(env: &mut Env<'_>) -> Answer {
    let args = env.arguments_from(3);
    write_bounded(env, args)
}

fn vsnprintf(env: &mut Env<'_>) -> Answer {
    let args = env.list(3)?;
    write_bounded(env, args)
}

fn write_allocated(env: &mut Env<'_>, args: Arguments) -> Answer {
    let to = env.pointer(0)?;
    let Some(mut text) = bytes(env, 1, args)? else { return Ok(int(END)) };
    let written = count(&text);
    text.push(0);
    let block = env.allocate(text)?;
    env.memory.store_pointer(to, block)?;
    Ok(written)
}

fn asprintf(env: &mut Env<'_>) -> Answer {
    let args = env.arguments_from(2);
    write_allocated(env, args)
}

fn vasprintf(env: &mut Env<'_>) -> Answer {
    let args = env.list(2)?;
    write_allocated(env, args)
}

fn scan_stream(env: &mut Env<'_>, stream: usize, format: usize, args: Arguments) -> Answer {
    let format = env.pointer(format)?;
    if !env.state.streams.can_read(stream) {
        env.set_errno(errors::EBADF);
        return Ok(int(END));
    }
    scan(env, Source::Stream(stream), format, args)
}

fn scanf(env: &mut Env<'_>) -> Answer {
    let args = env.arguments_from(1);
    scan_stream(env, STDIN, 0, args)
}

fn vscanf(env: &mut Env<'_>) -> Answer {
    let args = env.list(1)?;
    scan_stream(env, STDIN, 0, args)
}

fn fscanf(env: &mut Env<'_>) -> Answer {
    let (stream, args) = (env.stream(0)?, env.arguments_from(2));
    scan_stream(env, stream, 1, args)
}

fn vfscanf(env: &mut Env<'_>) -> Answer {
    let (stream, args) = (env.stream(0)?, env.list(2)?);
    scan_stream(env, stream, 1, args)
}

fn vsscanf(env: &mut Env<'_>) -> Answer {
    let (text, format): (Address, Address) = (env.pointer(0)?, env.pointer(1)?);
    let args = env.list(2)?;
    let text = env.memory.read_c_string(text)?;
    scanf::scan(env, Source::Text { text, at: 0 }, format, args)
}

/// Functions on wide streams.
fn wide(_env: &mut Env<'_>) -> Answer {
    unsupported("wide streams are not modeled")
}
