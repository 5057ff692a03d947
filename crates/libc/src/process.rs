//! The process and its surroundings: its end, environment, signals, locale; and values chosen by a
//! verifier.

use glassbox_interp::ExternalResult;
use glassbox_ir::{ResultPassing, Ty};
use glassbox_values::{Bits, Format};

use crate::Keepsake;
use crate::catalog::Model;
use crate::env::{Answer, END, Env, int, unsupported};
use crate::number::{self, is_space};
use crate::stream::STDIN;

/// The functions of the catalogue that this file has bodies for.
pub(crate) const NATIVES: &[(&str, Model)] = &[
    ("exit", exit),
    ("_exit", exit_at_once),
    ("quick_exit", exit_at_once),
    ("abort", abort),
    ("atexit", atexit),
    ("raise", raise),
    ("system", system),
    ("getenv", zero),
    ("signal", zero),
    ("setenv", zero),
    ("unsetenv", zero),
    ("putenv", zero),
    ("isatty", zero),
    ("sigaction", zero),
    ("sigemptyset", zero),
    ("sigaddset", zero),
    ("fegetround", zero),
    ("feclearexcept", zero),
    ("alarm", zero),
    ("__ctype_get_mb_cur_max", one),
    ("getpid", getpid),
    ("access", fails),
    ("chdir", fails),
    ("setlocale", setlocale),
    ("__VERIFIER_nondet_", nondet),
    ("__glassbox_same_sign", first),
];

const SIGABRT: i32 = 6;

fn exit(env: &mut Env<'_>) -> Answer {
    Err(ExternalResult::Exited(env.int(0)?))
}

/// `_Exit` and the like: without the handlers of `atexit`.
fn exit_at_once(env: &mut Env<'_>) -> Answer {
    env.state.at_exit.clear();
    exit(env)
}

fn abort(_env: &mut Env<'_>) -> Answer {
    Err(ExternalResult::Aborted)
}

fn atexit(env: &mut Env<'_>) -> Answer {
    let handler = env.pointer(0)?;
    env.state.at_exit.push(handler);
    Ok(0)
}

fn raise(env: &mut Env<'_>) -> Answer {
    match env.int(0)? {
        SIGABRT => Err(ExternalResult::Aborted),
        signal => unsupported(format!("raising signal {signal}")),
    }
}

fn system(_env: &mut Env<'_>) -> Answer {
    unsupported("no other program is started")
}

/// Functions that change nothing a program can observe here, and report success.
fn zero(_env: &mut Env<'_>) -> Answer {
    Ok(0)
}

fn one(_env: &mut Env<'_>) -> Answer {
    Ok(1)
}

fn first(env: &mut Env<'_>) -> Answer {
    Ok(int(env.int(0)?))
}

fn getpid(_env: &mut Env<'_>) -> Answer {
    Ok(1000)
}

/// `remove`-like functions that find nothing to work on.
fn fails(env: &mut Env<'_>) -> Answer {
    env.set_errno(crate::errors::ENOENT);
    Ok(int(END))
}

/// Only the C locale exists.
fn setlocale(env: &mut Env<'_>) -> Answer {
    let wanted = if env.pointer(1)? == 0 { Vec::new() } else { env.string(1)? };
    if !matches!(wanted.as_slice(), b"" | b"C" | b"POSIX") {
        return Ok(0);
    }
    match env.state.keepsake(env.memory, Keepsake::Locale, b"C\0".to_vec()) {
        Some(address) => Ok(address.into()),
        None => unsupported("memory is exhausted"),
    }
}

/// `__VERIFIER_nondet_*`: the next number of standard input.
fn nondet(env: &mut Env<'_>) -> Answer {
    let ResultPassing::Direct(ty) = env.call.program.function(env.call.function).result else {
        return unsupported("a value that is not a number");
    };
    // Standard input is the program's; what was never set is whatever lies there.
    if glassbox_library::is_unset(&env.call.program.function(env.call.function).name) {
        return Ok(0);
    }
    let Some(token) = next_token(env) else {
        return unsupported("no value is left for it: give one per call on standard input");
    };
    match read_value(&token, ty) {
        Some(word) => Ok(word),
        None => {
            let text = String::from_utf8_lossy(&token).into_owned();
            unsupported(format!("`{text}` on standard input is not a value of type {ty}"))
        }
    }
}

fn next_token(env: &mut Env<'_>) -> Option<Vec<u8>> {
    let streams = &mut env.state.streams;
    let mut token = Vec::new();
    loop {
        match streams.read_byte(STDIN) {
            Some(byte) if is_space(byte) => {
                if !token.is_empty() {
                    return Some(token);
                }
            }
            Some(byte) => token.push(byte),
            None => return (!token.is_empty()).then_some(token),
        }
    }
}

fn read_value(token: &[u8], ty: Ty) -> Option<u128> {
    if let Ty::Float(format) = ty {
        let (value, length) = number::leading_float(token, format)?;
        return (length == token.len() && matches!(format, Format::F32 | Format::F64))
            .then(|| value.to_bits().into());
    }
    let text = std::str::from_utf8(token).ok()?;
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u128::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<u128>().ok()?,
    };
    let word = if is_negative { magnitude.wrapping_neg() } else { magnitude };
    match ty {
        Ty::Int(1) => Some(u128::from(word != 0)),
        Ty::Int(width) => Some(Bits::new(word, width).unsigned()),
        // Only null is a pointer that can be written down.
        Ty::Ptr => (word == 0).then_some(0),
        Ty::Float(_) => None,
    }
}
