//! Results in formats that people and tools read. Formats live here; core types know none of them.

pub mod input_text;
pub mod sarif;
pub mod suite_json;
pub mod verdict_text;
