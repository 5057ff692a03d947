//! Time: a clock that starts at one fixed moment and advances a millisecond at every look, so that runs
//! repeat and loops that wait come to an end. The time zone is UTC.

use glassbox_interp::{Address, ExternalResult};

use crate::Keepsake;
use crate::catalog::Model;
use crate::env::{Answer, Env, int, long, unsupported};

/// The functions of the catalogue that this file has bodies for.
pub(crate) const NATIVES: &[(&str, Model)] = &[
    ("time", time),
    ("clock", clock),
    ("difftime", difftime),
    ("gettimeofday", gettimeofday),
    ("clock_gettime", clock_gettime),
    ("sleep", sleep),
    ("usleep", usleep),
    ("localtime", gmtime),
    ("gmtime", gmtime),
    ("localtime_r", gmtime_r),
    ("gmtime_r", gmtime_r),
    ("mktime", mktime),
    ("timegm", mktime),
    ("asctime", asctime),
    ("ctime", ctime),
    ("strftime", strftime),
];

/// 2001-09-09 01:46:40 UTC.
const START: i64 = 1_000_000_000;

const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Bytes of `struct tm` in glibc: nine ints, padding, the offset from UTC and the zone's name.
const CALENDAR_SIZE: usize = 56;

/// `struct tm` without the parts that UTC leaves zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Calendar {
    second: i64,
    minute: i64,
    hour: i64,
    day: i64,
    /// From 0.
    month: i64,
    /// Since 1900.
    year: i64,
    weekday: i64,
    day_of_year: i64,
}

/// Days from 1970-01-01 to the first of a month (from 0, any number) of a year since 1900.
fn days_before(year: i64, month: i64) -> i64 {
    let year = 1900 + year + month.div_euclid(12);
    let month = month.rem_euclid(12);
    let before_year = |y: i64| {
        365 * y + (y + 3).div_euclid(4) - (y + 99).div_euclid(100) + (y + 399).div_euclid(400)
    };
    let is_leap =
        year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
    let starts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let leap_day = i64::from(is_leap && month > 1);
    before_year(year) - before_year(1970) + starts[month as usize] + leap_day
}

impl Calendar {
    fn of(time: i64) -> Calendar {
        let (days, rest) = (time.div_euclid(86_400), time.rem_euclid(86_400));
        let mut year = 70 + days.div_euclid(366);
        while days_before(year + 1, 0) <= days {
            year += 1;
        }
        let mut month = 0;
        while days_before(year, month + 1) <= days {
            month += 1;
        }
        Calendar {
            second: rest % 60,
            minute: rest / 60 % 60,
            hour: rest / 3600,
            day: days - days_before(year, month) + 1,
            month,
            year,
            weekday: (days + 4).rem_euclid(7),
            day_of_year: days - days_before(year, 0),
        }
    }

    fn time(&self) -> i64 {
        let days = days_before(self.year, self.month) + self.day - 1;
        days * 86_400 + self.hour * 3600 + self.minute * 60 + self.second
    }

    fn to_bytes(self) -> Vec<u8> {
        let fields = [
            self.second,
            self.minute,
            self.hour,
            self.day,
            self.month,
            self.year,
            self.weekday,
            self.day_of_year,
        ];
        let mut bytes: Vec<u8> =
            fields.iter().flat_map(|&field| (field as i32).to_le_bytes()).collect();
        bytes.resize(CALENDAR_SIZE, 0);
        bytes
    }

    fn read(env: &Env<'_>, at: Address) -> Result<Calendar, ExternalResult> {
        let field = |index: u64| -> Result<i64, ExternalResult> {
            Ok(i64::from(env.memory.load(at.wrapping_add(index * 4), 4)? as u32 as i32))
        };
        Ok(Calendar {
            second: field(0)?,
            minute: field(1)?,
            hour: field(2)?,
            day: field(3)?,
            month: field(4)?,
            year: field(5)?,
            weekday: field(6).unwrap_or(0),
            day_of_year: field(7).unwrap_or(0),
        })
    }

    fn day_name(&self) -> &'static str {
        DAYS[self.weekday.rem_euclid(7) as usize]
    }

    fn month_name(&self) -> &'static str {
        MONTHS[self.month.rem_euclid(12) as usize]
    }

    /// As `asctime` writes it.
    fn text(&self) -> String {
        format!(
            "{} {}{:3} {:02}:{:02}:{:02} {}\n",
            &self.day_name()[..3],
            &self.month_name()[..3],
            self.day,
            self.hour,
            self.minute,
            self.second,
            1900 + self.year
        )
    }
}

/// Milliseconds since the program started.
fn look(env: &mut Env<'_>) -> i64 {
    env.state.clock += 1;
    env.state.clock as i64
}

fn time(env: &mut Env<'_>) -> Answer {
    let now = START + look(env) / 1000;
    let to = env.pointer(0)?;
    if to != 0 {
        env.memory.write(to, &now.to_le_bytes())?;
    }
    Ok(long(now))
}

/// In microseconds: `CLOCKS_PER_SEC` is a million.
fn clock(env: &mut Env<'_>) -> Answer {
    Ok(long(look(env) * 1000))
}

fn difftime(env: &mut Env<'_>) -> Answer {
    let (end, start) = (env.long(0)?, env.long(1)?);
    env.double_result(end as f64 - start as f64)
}

fn gettimeofday(env: &mut Env<'_>) -> Answer {
    let now = look(env);
    let to = env.pointer(0)?;
    env.memory.write(to, &(START + now / 1000).to_le_bytes())?;
    env.memory.write(to.wrapping_add(8), &(now % 1000 * 1000).to_le_bytes())?;
    Ok(0)
}

fn clock_gettime(env: &mut Env<'_>) -> Answer {
    let now = look(env);
    let to = env.pointer(1)?;
    env.memory.write(to, &(START + now / 1000).to_le_bytes())?;
    env.memory.write(to.wrapping_add(8), &(now % 1000 * 1_000_000).to_le_bytes())?;
    Ok(0)
}

/// `sleep` and `usleep`: the clock advances at once.
fn sleep(env: &mut Env<'_>) -> Answer {
    env.state.clock += env.size(0)?.saturating_mul(1000).min(1 << 40);
    Ok(0)
}

fn usleep(env: &mut Env<'_>) -> Answer {
    env.state.clock += (env.size(0)? / 1000).min(1 << 40);
    Ok(0)
}

/// A time that a calendar of reasonable years can show.
fn time_argument(env: &Env<'_>) -> Result<Option<i64>, ExternalResult> {
    let time = env.memory.load(env.pointer(0)?, 8)?.cast_signed();
    Ok(time.checked_abs().filter(|&size| size < 1 << 40).map(|_| time))
}

fn kept(env: &mut Env<'_>, keepsake: Keepsake, bytes: Vec<u8>) -> Answer {
    match env.state.keepsake(env.memory, keepsake, bytes) {
        Some(address) => Ok(address.into()),
        None => unsupported("memory is exhausted"),
    }
}

/// `localtime` and `gmtime`.
fn gmtime(env: &mut Env<'_>) -> Answer {
    match time_argument(env)? {
        Some(time) => kept(env, Keepsake::Calendar, Calendar::of(time).to_bytes()),
        None => Ok(0),
    }
}

fn gmtime_r(env: &mut Env<'_>) -> Answer {
    let to = env.pointer(1)?;
    match time_argument(env)? {
        Some(time) => {
            env.memory.write(to, &Calendar::of(time).to_bytes())?;
            Ok(to.into())
        }
        None => Ok(0),
    }
}

fn mktime(env: &mut Env<'_>) -> Answer {
    let at = env.pointer(0)?;
    let time = Calendar::read(env, at)?.time();
    env.memory.write(at, &Calendar::of(time).to_bytes())?;
    Ok(long(time))
}

fn text_of(env: &mut Env<'_>, calendar: Calendar) -> Answer {
    let mut text = calendar.text().into_bytes();
    text.resize(text.len().max(64), 0);
    kept(env, Keepsake::CalendarText, text)
}

fn asctime(env: &mut Env<'_>) -> Answer {
    let calendar = Calendar::read(env, env.pointer(0)?)?;
    text_of(env, calendar)
}

fn ctime(env: &mut Env<'_>) -> Answer {
    match time_argument(env)? {
        Some(time) => text_of(env, Calendar::of(time)),
        None => Ok(0),
    }
}

fn strftime(env: &mut Env<'_>) -> Answer {
    let (to, room, format) = (env.pointer(0)?, env.size(1)?, env.string(2)?);
    let calendar = Calendar::read(env, env.pointer(3)?)?;
    let mut text = String::new();
    let mut bytes = format.iter();
    while let Some(&byte) = bytes.next() {
        if byte != b'%' {
            text.push(char::from(byte));
            continue;
        }
        match bytes.next().and_then(|&conversion| field_text(&calendar, conversion)) {
            Some(field) => text.push_str(&field),
            None => return unsupported("this conversion of a time"),
        }
    }
    // Bytes above 0x7f of the format were widened to characters; they go back one to one.
    let mut out: Vec<u8> = text.chars().map(|c| c as u8).collect();
    if out.len() as u64 >= room {
        return Ok(0);
    }
    let length = out.len();
    out.push(0);
    env.memory.write(to, &out)?;
    Ok(int(length as i32))
}

fn field_text(calendar: &Calendar, conversion: u8) -> Option<String> {
    let c = calendar;
    let hour12 = (c.hour + 11).rem_euclid(12) + 1;
    Some(match conversion {
        b'a' => c.day_name()[..3].to_owned(),
        b'A' => c.day_name().to_owned(),
        b'b' | b'h' => c.month_name()[..3].to_owned(),
        b'B' => c.month_name().to_owned(),
        b'c' => {
            let (day, month, hour) =
                (field_text(c, b'a')?, field_text(c, b'b')?, field_text(c, b'T')?);
            format!("{day} {month} {:2} {hour} {}", c.day, 1900 + c.year)
        }
        b'C' => format!("{:02}", (1900 + c.year).div_euclid(100)),
        b'd' => format!("{:02}", c.day),
        b'D' | b'x' => format!("{:02}/{:02}/{:02}", c.month + 1, c.day, c.year.rem_euclid(100)),
        b'e' => format!("{:2}", c.day),
        b'F' => format!("{}-{:02}-{:02}", 1900 + c.year, c.month + 1, c.day),
        b'H' => format!("{:02}", c.hour),
        b'I' => format!("{hour12:02}"),
        b'j' => format!("{:03}", c.day_of_year + 1),
        b'm' => format!("{:02}", c.month + 1),
        b'M' => format!("{:02}", c.minute),
        b'n' => "\n".to_owned(),
        b'p' => if c.hour < 12 { "AM" } else { "PM" }.to_owned(),
        b'R' => format!("{:02}:{:02}", c.hour, c.minute),
        b's' => c.time().to_string(),
        b'S' => format!("{:02}", c.second),
        b't' => "\t".to_owned(),
        b'T' | b'X' => format!("{:02}:{:02}:{:02}", c.hour, c.minute, c.second),
        b'u' => (if c.weekday == 0 { 7 } else { c.weekday }).to_string(),
        b'w' => c.weekday.to_string(),
        b'y' => format!("{:02}", c.year.rem_euclid(100)),
        b'Y' => (1900 + c.year).to_string(),
        b'z' => "+0000".to_owned(),
        b'Z' => "UTC".to_owned(),
        b'%' => "%".to_owned(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendars_go_back_and_forth() {
        for time in (-5_000_000_000i64..8_000_000_000).step_by(12_345_677) {
            assert_eq!(Calendar::of(time).time(), time);
        }
        assert_eq!(Calendar::of(START).text(), "Sun Sep  9 01:46:40 2001\n");
        assert_eq!(Calendar::of(951_782_400).text(), "Tue Feb 29 00:00:00 2000\n");
    }
}
