//! times.json: how long a run took, beside suite.json.
//!
//! The same run gives the same suite.json, byte for byte, so measured times have a file of their own. It names
//! the suite that it belongs to by its digest; reports of another suite leave it alone.

use std::time::Duration;

use serde_json::{Value, json};

use crate::data::SuiteData;
use crate::sha256;

/// The file's name, next to suite.json.
pub const NAME: &str = "times.json";

/// How long one function took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionTimes {
    pub name: String,
    /// From the first input to the last verdict, without replay.
    pub search: Duration,
    /// What of it the processor worked; other programs on a busy machine are no part of it.
    pub processor: Duration,
    /// Compiling and running the tests.
    pub replay: Duration,
    /// When goals were decided, in order.
    pub points: Vec<Point>,
    /// By layer of the solver.
    pub layers: Vec<(String, Duration)>,
}

/// How many goals were decided after a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Point {
    pub after: Duration,
    pub reached: usize,
    pub refuted: usize,
}

/// The content of the file. Times are whole microseconds.
pub fn times(suite: &SuiteData, functions: &[FunctionTimes]) -> Value {
    let functions: Vec<Value> = functions.iter().map(function).collect();
    json!({ "suite": digest(suite), "functions": functions })
}

fn function(times: &FunctionTimes) -> Value {
    let point = |point: &Point| json!([micros(point.after), point.reached, point.refuted]);
    let layer =
        |(name, time): &(String, Duration)| json!({ "name": name, "micros": micros(*time) });
    json!({
        "name": times.name,
        "search": micros(times.search),
        "processor": micros(times.processor),
        "replay": micros(times.replay),
        "points": times.points.iter().map(point).collect::<Vec<_>>(),
        "layers": times.layers.iter().map(layer).collect::<Vec<_>>(),
    })
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The times in `text`, if they were measured in the run that gave `suite`.
pub fn read(text: &str, suite: &SuiteData) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let is_ours = value.get("suite")?.as_str()? == digest(suite);
    (is_ours && value.get("functions")?.is_array()).then_some(value)
}

fn digest(suite: &SuiteData) -> String {
    sha256::of_written(|out| suite.write_line(out)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::{FunctionTimes, Point, read, times};
    use crate::data::SuiteData;

    #[test]
    fn times_are_read_for_their_own_suite_only() {
        let suite = SuiteData { format: 1, ..SuiteData::default() };
        let point = Point { after: Duration::from_millis(2), reached: 3, refuted: 1 };
        let layers = vec![("blast".to_owned(), Duration::from_micros(7))];
        let function = FunctionTimes {
            name: "f".to_owned(),
            points: vec![point],
            layers,
            ..Default::default()
        };
        let text = times(&suite, &[function]).to_string();
        let known = read(&text, &suite).expect("its own");
        assert_eq!(known["functions"][0]["points"], json!([[2000, 3, 1]]));
        assert_eq!(known["functions"][0]["layers"][0]["micros"], 7);
        assert_eq!(read(&text, &SuiteData::default()), None);
        for broken in ["", "{", "[]", "{\"suite\": 3}"] {
            assert_eq!(read(broken, &suite), None);
        }
    }
}
