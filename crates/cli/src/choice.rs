//! Options with a fixed list of values: types of other rooms, which know nothing of command lines.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A type whose values have names on the command line.
pub(crate) trait Choice: Copy + Send + Sync + 'static {
    /// Every value with its name and, where the name does not say all, help.
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)];
}

/// A parser for an option of this type.
pub(crate) fn one_of<T: Choice>() -> impl TypedValueParser<Value = T> {
    let values = T::VALUES.iter().map(|(_, name, help)| {
        let value = PossibleValue::new(*name);
        match help {
            Some(help) => value.help(*help),
            None => value,
        }
    });
    PossibleValuesParser::new(values).try_map(|text| {
        let found = T::VALUES.iter().find(|(_, name, _)| *name == text);
        found.map(|(value, _, _)| *value).ok_or("this value is in no list")
    })
}
