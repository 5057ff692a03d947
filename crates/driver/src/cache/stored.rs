//! Values as bytes and back: numbers, texts, lists, and what is made of them.
//!
//! Every type names all its parts, so that a part that is added does not compile until it is stored, too. What is read is
//! never trusted: bytes that say nothing give `None`. The format is not kept between versions, since a key names the
//! build that wrote an entry.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

/// What can be written and read back.
pub(super) trait Stored: Sized {
    fn put(&self, out: &mut Vec<u8>);
    fn get(input: &mut Input<'_>) -> Option<Self>;
}

/// Bytes that are still to be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Input<'a> {
        Input(bytes)
    }

    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Everything that is left.
    pub(super) fn rest(self) -> &'a [u8] {
        self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many values follow: no more than there are bytes.
    fn count(&mut self) -> Option<usize> {
        usize::get(self).filter(|&count| count <= self.0.len())
    }
}

/// Structures, by all their fields.
macro_rules! records {
    ($($ty:ty { $($field:ident),* $(,)? })*) => {$(
        impl $crate::cache::stored::Stored for $ty {
            fn put(&self, out: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($field.put(out);)*
            }

            fn get(input: &mut $crate::cache::stored::Input<'_>) -> Option<Self> {
                Some(Self { $($field: $crate::cache::stored::Stored::get(input)?),* })
            }
        }
    )*};
}

/// Enumerations, by all their variants, each with a number.
macro_rules! choices {
    ($($ty:ty { $(
        $tag:literal $variant:ident $(($($part:ident),*))? $({ $($field:ident),* })?
    ),* $(,)? })*) => {$(
        impl $crate::cache::stored::Stored for $ty {
            fn put(&self, out: &mut Vec<u8>) {
                match self {$(
                    Self::$variant $(($($part),*))? $({ $($field),* })? => {
                        out.push($tag);
                        $($($part.put(out);)*)?
                        $($($field.put(out);)*)?
                    }
                )*}
            }

            fn get(input: &mut $crate::cache::stored::Input<'_>) -> Option<Self> {
                Some(match u8::get(input)? {
                    $($tag => Self::$variant
                        $(($({ let $part = $crate::cache::stored::Stored::get(input)?; $part }),*))?
                        $({ $($field: $crate::cache::stored::Stored::get(input)?),* })?,
                    )*
                    _ => return None,
                })
            }
        }
    )*};
}

/// Numbers that are an index.
macro_rules! indices {
    ($($ty:ty)*) => {$(
        impl $crate::cache::stored::Stored for $ty {
            fn put(&self, out: &mut Vec<u8>) {
                self.index().put(out);
            }

            fn get(input: &mut $crate::cache::stored::Input<'_>) -> Option<Self> {
                let index = usize::get(input)?;
                u32::try_from(index).ok()?;
                Some(<$ty>::new(index))
            }
        }
    )*};
}

pub(super) use {choices, indices, records};

/// Seven bits at a time, the lowest first.
macro_rules! numbers {
    ($($ty:ty)*) => {$(
        impl Stored for $ty {
            fn put(&self, out: &mut Vec<u8>) {
                let mut rest = *self as u128;
                while rest >= 0x80 {
                    out.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                out.push(rest as u8);
            }

            fn get(input: &mut Input<'_>) -> Option<$ty> {
                let mut value = 0u128;
                for shift in (0..128).step_by(7) {
                    let byte = input.take(1)?[0];
                    value |= u128::from(byte & 0x7f) << shift;
                    if byte < 0x80 {
                        return <$ty>::try_from(value).ok();
                    }
                }
                None
            }
        }
    )*};
}

numbers! { u16 u32 u64 u128 usize }

impl Stored for u8 {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    fn get(input: &mut Input<'_>) -> Option<u8> {
        Some(input.take(1)?[0])
    }
}

impl Stored for i32 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn get(input: &mut Input<'_>) -> Option<i32> {
        Some(i32::from_le_bytes(input.take(4)?.try_into().ok()?))
    }
}

impl Stored for i64 {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn get(input: &mut Input<'_>) -> Option<i64> {
        Some(i64::from_le_bytes(input.take(8)?.try_into().ok()?))
    }
}

impl Stored for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn get(input: &mut Input<'_>) -> Option<bool> {
        match u8::get(input)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Stored for String {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn get(input: &mut Input<'_>) -> Option<String> {
        let count = input.count()?;
        String::from_utf8(input.take(count)?.to_vec()).ok()
    }
}

impl Stored for Duration {
    fn put(&self, out: &mut Vec<u8>) {
        self.as_secs().put(out);
        self.subsec_nanos().put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<Duration> {
        let (seconds, nanos) = (u64::get(input)?, u32::get(input)?);
        (nanos < 1_000_000_000).then(|| Duration::new(seconds, nanos))
    }
}

impl Stored for Range<u64> {
    fn put(&self, out: &mut Vec<u8>) {
        self.start.put(out);
        self.end.put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<Range<u64>> {
        Some(u64::get(input)?..u64::get(input)?)
    }
}

impl<T: Stored> Stored for Box<T> {
    fn put(&self, out: &mut Vec<u8>) {
        (**self).put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<Box<T>> {
        T::get(input).map(Box::new)
    }
}

impl<T: Stored> Stored for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn get(input: &mut Input<'_>) -> Option<Option<T>> {
        Some(if bool::get(input)? { Some(T::get(input)?) } else { None })
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        self.iter().for_each(|value| value.put(out));
    }

    fn get(input: &mut Input<'_>) -> Option<Vec<T>> {
        let count = input.count()?;
        (0..count).map(|_| T::get(input)).collect()
    }
}

impl<T: Stored + Ord> Stored for BTreeSet<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        self.iter().for_each(|value| value.put(out));
    }

    fn get(input: &mut Input<'_>) -> Option<BTreeSet<T>> {
        let count = input.count()?;
        (0..count).map(|_| T::get(input)).collect()
    }
}

impl<K: Stored + Ord, V: Stored> Stored for BTreeMap<K, V> {
    fn put(&self, out: &mut Vec<u8>) {
        self.len().put(out);
        for (key, value) in self {
            key.put(out);
            value.put(out);
        }
    }

    fn get(input: &mut Input<'_>) -> Option<BTreeMap<K, V>> {
        let count = input.count()?;
        (0..count).map(|_| Some((K::get(input)?, V::get(input)?))).collect()
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<(A, B)> {
        Some((A::get(input)?, B::get(input)?))
    }
}

impl<A: Stored, B: Stored, C: Stored> Stored for (A, B, C) {
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }

    fn get(input: &mut Input<'_>) -> Option<(A, B, C)> {
        Some((A::get(input)?, B::get(input)?, C::get(input)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Mixed = (Vec<Option<String>>, BTreeMap<u16, i64>, (bool, u128, Range<u64>));

    fn mixed() -> Mixed {
        let texts = vec![None, Some(String::new()), Some("\u{1F980} text".to_owned())];
        let numbers = [(0, i64::MIN), (u16::MAX, -1), (7, i64::MAX)].into();
        (texts, numbers, (true, u128::MAX, 3..u64::MAX))
    }

    #[test]
    fn what_was_written_is_read_back() {
        let mut bytes = Vec::new();
        mixed().put(&mut bytes);
        let mut input = Input::new(&bytes);
        assert_eq!(Mixed::get(&mut input), Some(mixed()));
        assert!(input.is_empty());
    }

    #[test]
    fn bytes_that_end_too_early_are_nothing() {
        let mut bytes = Vec::new();
        mixed().put(&mut bytes);
        for length in 0..bytes.len() {
            assert_eq!(Mixed::get(&mut Input::new(&bytes[..length])), None, "{length} bytes");
        }
    }

    #[test]
    fn a_length_that_cannot_be_is_nothing() {
        let mut bytes = Vec::new();
        usize::MAX.put(&mut bytes);
        assert_eq!(Vec::<u8>::get(&mut Input::new(&bytes)), None);
        assert_eq!(u16::get(&mut Input::new(&bytes)), None);
    }
}
