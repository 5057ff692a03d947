//! times.json: how long a run took, beside suite.json.
//!
//! The same run gives the same suite.json, byte for byte, so measured times have a file of their own. It names
//! the suite that it belongs to by the digest of suite.json; reports of another suite leave it alone.

use std::time::Duration;

use serde_json::{Value, json};

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

/// The content of the file, about the suite with this digest. Times are whole microseconds.
pub fn times(digest: &str, functions: &[FunctionTimes]) -> Value {
    let functions: Vec<Value> = functions.iter().map(function).collect();
    json!({ "suite": digest, "functions": functions })
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

/// The times in `text`, if they were measured in the run that gave the suite with this digest.
pub fn read(text: &str, digest: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let is_ours = value.get("suite")?.as_str()? == digest;
    (is_ours && value.get("functions")?.is_array()).then_some(value)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::{FunctionTimes, Point, read, times};
    #[test]
    fn times_are_read_for_their_own_suite_only() {
        let suite = "a digest";
        let point = Point { after: Duration::from_millis(2), reached: 3, refuted: 1 };
        let layers = vec![("blast".to_owned(), Duration::from_micros(7))];
        let function = FunctionTimes {
            name: "f".to_owned(),
            points: vec![point],
            layers,
            ..Default::default()
        };
        let text = times(suite, &[function]).to_string();
        let known = read(&text, suite).expect("its own");
        assert_eq!(known["functions"][0]["points"], json!([[2000, 3, 1]]));
        assert_eq!(known["functions"][0]["layers"][0]["micros"], 7);
        assert_eq!(read(&text, "another"), None);
        for broken in ["", "{", "[]", "{\"suite\": 3}"] {
            assert_eq!(read(broken, suite), None);
        }
    }
}
