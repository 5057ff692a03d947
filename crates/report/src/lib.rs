//! Results in formats that people and tools read. Formats live here; core types know none of them.

pub mod check;
pub mod cobertura;
pub mod data;
pub mod diff;
pub mod dismissal;
pub mod explain;
pub mod html;
pub mod input_lines;
pub mod input_text;
pub mod junit;
pub mod lcov;
mod line_coverage;
pub mod markdown;
pub mod mutation;
pub mod mutation_page;
mod same_run;
pub mod sarif;
pub mod sarif_goals;
pub mod sha256;
pub mod suite_json;
pub mod summary;
pub mod testcomp;
pub mod times;
mod utf16;
pub mod verdict_text;
pub mod witness;
mod xml;
