//! `[rules]`: how far specifications are looked into, and how their terms and calls are written in the language of an
//! implementation.

use std::ops::Range;

use toml::de::DeValue;

use crate::read::{Item, Reader, Reading, in_order};

/// Everything under `[rules]`.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    /// Values of one type inside of each other, in inputs.
    pub depth: Option<u32>,
    /// Activations of one function inside of each other.
    pub recursion: Option<u32>,
    /// The file that implements it, seen from the configuration file.
    pub source: Option<String>,
    /// Lines at the beginning of test files.
    pub header: Vec<String>,
    /// By name of a function: the expression that calls what implements it.
    pub functions: Vec<Template>,
    /// By name of a constructor, a record or a type of lists: the expression that makes it.
    pub values: Vec<Template>,
    /// By name of a type: the expression that compares two values, `$result` and `$expected`.
    pub equal: Vec<Template>,
    /// By name of an exception: what shows that it happened.
    pub exceptions: Vec<Template>,
}

/// Text of another language; `$name` and `$1` stand for parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub name: String,
    /// Of the name, in the file.
    pub span: Range<usize>,
    pub text: String,
}

pub(crate) fn read(reader: &Reader<'_>, item: &Item<'_>) -> Reading<Mapping> {
    let mut mapping = Mapping::default();
    for (key, value) in in_order(reader.table(item)?) {
        match key.get_ref().as_ref() {
            "depth" => mapping.depth = Some(number(reader, value)?),
            "recursion" => mapping.recursion = Some(number(reader, value)?),
            "source" => mapping.source = Some(text(reader, value)?),
            "header" => {
                let DeValue::Array(lines) = value.get_ref() else {
                    return reader.wrong(value, "a list of lines");
                };
                mapping.header =
                    lines.iter().map(|line| text(reader, line)).collect::<Reading<_>>()?;
            }
            "function" => mapping.functions = templates(reader, value)?,
            "value" => mapping.values = templates(reader, value)?,
            "equal" => mapping.equal = templates(reader, value)?,
            "exception" => mapping.exceptions = templates(reader, value)?,
            other => {
                let known = [
                    "depth",
                    "recursion",
                    "source",
                    "header",
                    "function",
                    "value",
                    "equal",
                    "exception",
                ];
                return Err(reader.unknown("key", other, key.span(), &known));
            }
        }
    }
    Ok(mapping)
}

fn templates(reader: &Reader<'_>, item: &Item<'_>) -> Reading<Vec<Template>> {
    let entries = in_order(reader.table(item)?).into_iter().map(|(key, value)| {
        let name = key.get_ref().as_ref().to_owned();
        Ok(Template { name, span: key.span(), text: text(reader, value)? })
    });
    entries.collect()
}

fn text(reader: &Reader<'_>, item: &Item<'_>) -> Reading<String> {
    let DeValue::String(text) = item.get_ref() else { return reader.wrong(item, "a text") };
    Ok(text.clone().into_owned())
}

fn number(reader: &Reader<'_>, item: &Item<'_>) -> Reading<u32> {
    let found = if let DeValue::Integer(number) = item.get_ref() {
        u32::from_str_radix(number.as_str(), number.radix()).ok()
    } else {
        None
    };
    match found.filter(|number| (1..=64).contains(number)) {
        Some(number) => Ok(number),
        None => reader.wrong(item, "a number from 1 to 64"),
    }
}
