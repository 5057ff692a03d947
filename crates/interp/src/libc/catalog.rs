//! Which function has which model, by name.

use super::env::{Answer, Env};
use super::{errors, files, formatted, input, math, number, output, process, time};

/// A native model of a library function.
pub(super) type Model = fn(&mut Env<'_>) -> Answer;

/// The model of a function, if there is one. Headers may give functions other names for a standard
/// (`__isoc99_`, `__isoc23_`) or for speed (`_unlocked`).
pub(super) fn find(name: &str) -> Option<Model> {
    if name.starts_with("__VERIFIER_nondet_") {
        return Some(process::nondet);
    }
    let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_"));
    let plain = plain.unwrap_or(name);
    let plain = plain.strip_suffix("_unlocked").unwrap_or(plain);
    stdio(plain)
        .or_else(|| streams(plain))
        .or_else(|| surroundings(plain))
        .or_else(|| math::find(plain))
}

fn stdio(name: &str) -> Option<Model> {
    Some(match name {
        "printf" => formatted::printf,
        "vprintf" => formatted::vprintf,
        "fprintf" => formatted::fprintf,
        "vfprintf" => formatted::vfprintf,
        "dprintf" => formatted::dprintf,
        "sprintf" => formatted::sprintf,
        "vsprintf" => formatted::vsprintf,
        "snprintf" => formatted::snprintf,
        "vsnprintf" => formatted::vsnprintf,
        "asprintf" => formatted::asprintf,
        "vasprintf" => formatted::vasprintf,
        "scanf" => formatted::scanf,
        "vscanf" => formatted::vscanf,
        "fscanf" => formatted::fscanf,
        "vfscanf" => formatted::vfscanf,
        "sscanf" => formatted::sscanf,
        "vsscanf" => formatted::vsscanf,
        "wprintf" | "fwprintf" | "swprintf" | "wscanf" | "fwscanf" | "swscanf" | "putwchar"
        | "getwchar" | "fgetwc" | "fputwc" | "fgetws" | "fputws" => formatted::wide,
        "putchar" => output::putchar,
        "putc" | "fputc" | "_IO_putc" => output::fputc,
        "puts" => output::puts,
        "fputs" => output::fputs,
        "fwrite" => output::fwrite,
        "write" => output::write,
        "fflush" => output::fflush,
        "perror" => output::perror,
        "setvbuf" | "setbuf" | "setbuffer" | "setlinebuf" => output::set_buffering,
        _ => return None,
    })
}

fn streams(name: &str) -> Option<Model> {
    Some(match name {
        "getchar" => input::getchar,
        "getc" | "fgetc" | "_IO_getc" => input::fgetc,
        "ungetc" => input::ungetc,
        "fgets" => input::fgets,
        "gets" => input::gets,
        "fread" => input::fread,
        "read" => input::read,
        "getline" => input::getline,
        "getdelim" | "__getdelim" => input::getdelim,
        "feof" => input::feof,
        "ferror" => input::ferror,
        "clearerr" => input::clearerr,
        "fopen" | "fopen64" => files::fopen,
        "freopen" | "freopen64" => files::freopen,
        "tmpfile" | "tmpfile64" => files::tmpfile,
        "tmpnam" => files::tmpnam,
        "fclose" => files::fclose,
        "remove" | "unlink" => files::remove,
        "rename" => files::rename,
        "fseek" | "fseeko" | "fseeko64" => files::fseek,
        "ftell" | "ftello" | "ftello64" => files::ftell,
        "rewind" => files::rewind,
        "fileno" => files::fileno,
        _ => return None,
    })
}

fn surroundings(name: &str) -> Option<Model> {
    Some(match name {
        "exit" => process::exit,
        "_exit" | "_Exit" | "quick_exit" => process::exit_at_once,
        "abort" => process::abort,
        "atexit" => process::atexit,
        "raise" => process::raise,
        "system" => process::system,
        "getenv" | "secure_getenv" | "signal" | "setenv" | "unsetenv" | "putenv" | "isatty"
        | "sigaction" | "sigemptyset" | "sigaddset" | "fegetround" | "feclearexcept" | "alarm" => {
            process::zero
        }
        "__ctype_get_mb_cur_max" => process::one,
        "getpid" | "getppid" => process::getpid,
        "access" | "chdir" => process::fails,
        "setlocale" => process::setlocale,
        "strerror" => errors::strerror,
        "strtod" => number::strtod,
        "strtof" => number::strtof,
        "strtold" => number::strtold,
        "atof" => number::atof,
        "time" => time::time,
        "clock" => time::clock,
        "difftime" => time::difftime,
        "gettimeofday" => time::gettimeofday,
        "clock_gettime" => time::clock_gettime,
        "sleep" => time::sleep,
        "usleep" => time::usleep,
        "localtime" | "gmtime" => time::gmtime,
        "localtime_r" | "gmtime_r" => time::gmtime_r,
        "mktime" | "timegm" => time::mktime,
        "asctime" => time::asctime,
        "ctime" => time::ctime,
        "strftime" => time::strftime,
        _ => return None,
    })
}
