//! Values that files spell in words: known ones as what they are, others as they stand.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A type whose values have words of their own.
pub trait InWords: Sized {
    fn words(&self) -> String;
    fn from_words(words: &str) -> Option<Self>;
}

/// A value, or words of another version of the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words<T> {
    Known(T),
    Other(String),
}

impl<T> Words<T> {
    pub fn known(&self) -> Option<&T> {
        match self {
            Words::Known(value) => Some(value),
            Words::Other(_) => None,
        }
    }
}

impl<T: InWords> fmt::Display for Words<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Words::Known(value) => f.write_str(&value.words()),
            Words::Other(words) => f.write_str(words),
        }
    }
}

impl<T: InWords> From<String> for Words<T> {
    fn from(words: String) -> Words<T> {
        T::from_words(&words).map_or(Words::Other(words), Words::Known)
    }
}

impl<T: InWords> Serialize for Words<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, T: InWords> Deserialize<'de> for Words<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Words<T>, D::Error> {
        String::deserialize(deserializer).map(Words::from)
    }
}
