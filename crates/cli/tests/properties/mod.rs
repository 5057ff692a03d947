//! The properties in the summary that `check --json` prints.

use serde_json::Value;

/// (function under test, line, verdict, inputs, what confirmed it) of one kind of property.
pub(crate) fn found(summary: &Value, kind: &str) -> Vec<[String; 5]> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut found = Vec::new();
    for function in summary["functions"].as_array().expect("functions") {
        for property in function["properties"].as_array().expect("properties") {
            if property["kind"] == kind {
                let parts = ["line", "verdict", "inputs", "confirmed"];
                let [line, verdict, inputs, confirmed] = parts.map(|part| text(&property[part]));
                found.push([text(&function["entry"]), line, verdict, inputs, confirmed]);
            }
        }
    }
    found
}
