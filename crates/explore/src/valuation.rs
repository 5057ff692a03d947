//! Values of terms in a model, for turning a path's model into inputs.

use glassbox_model::inputs::Valuation;
use glassbox_terms::{Evaluator, Model, TermId, Terms, Value};
use glassbox_values::Bits;

/// Values of terms in a model, as bits.
pub(crate) struct ModelValuation<'a> {
    pub(crate) evaluator: Evaluator,
    pub(crate) terms: &'a Terms,
    pub(crate) model: &'a Model,
}

impl Valuation for ModelValuation<'_> {
    fn bits(&mut self, term: TermId) -> Bits {
        match self.evaluator.under(self.terms, self.model).value(term) {
            Value::Bool(truth) => Bits::from_bool(*truth),
            Value::Bv(bits) => *bits,
            Value::Float(float) => Bits::new(float.to_bits().into(), float.format().width()),
            Value::Array(_) => Bits::zero(1),
        }
    }
}
