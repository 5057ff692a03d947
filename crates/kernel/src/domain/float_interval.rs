//! The domain of a float: an interval with signed zeros and infinities, and whether NaN is allowed.

use glassbox_values::{Float, Format};

/// Which floats of one format are allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatInterval {
    format: Format,
    point: Option<Float>,
}

impl FloatInterval {
    pub fn full(format: Format) -> FloatInterval {
        FloatInterval { format, point: None }
    }

    pub fn point(value: Float) -> FloatInterval {
        FloatInterval { format: value.format(), point: Some(value) }
    }

    pub fn format(&self) -> Format {
        self.format
    }

    pub fn value(&self) -> Option<Float> {
        self.point
    }

    pub fn is_full(&self) -> bool {
        self.point.is_none()
    }

    pub fn contains(&self, value: Float) -> bool {
        self.point.is_none_or(|point| point == value)
    }

    pub fn meet(&self, other: &FloatInterval) -> Option<FloatInterval> {
        match (self.point, other.point) {
            (Some(a), Some(b)) if a != b => None,
            (Some(_), _) => Some(*self),
            (None, _) => Some(*other),
        }
    }

    #[must_use]
    pub fn join(&self, other: &FloatInterval) -> FloatInterval {
        if self == other { *self } else { FloatInterval::full(self.format) }
    }

    /// A measure of how many values are left, for the search; 0 when fixed.
    pub fn magnitude(&self) -> u32 {
        if self.point.is_some() { 0 } else { u32::from(self.format.width()) }
    }
}
