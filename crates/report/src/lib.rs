//! Results in formats that people and tools read. Formats live here; core types know none of them.

pub mod suite_json;
pub mod verdict_text;
