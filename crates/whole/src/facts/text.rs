//! Facts in the words of the source, for people.

use glassbox_kernel::Domain;
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{Notation, TermId, Terms};
use glassbox_values::{Signedness, character};

/// The name of a variable; a question mark for other terms.
pub fn name_of(terms: &Terms, variable: TermId) -> &str {
    terms.as_var(variable).map_or("?", |var| terms.var_name(var))
}

/// What a domain says beyond the type; nothing where it says nothing.
pub fn range_text(name: &str, domain: &Domain) -> Option<String> {
    range_in(Notation::Unknown, name, domain)
}

/// The same, with numbers written as those of the variable are.
pub fn range_in(notation: Notation, name: &str, domain: &Domain) -> Option<String> {
    if domain.is_full() {
        return None;
    }
    match domain {
        Domain::Bits(bits) => {
            let (low, high) = (bits.unsigned_min(), bits.unsigned_max());
            let is_signed = match notation.signedness() {
                Some(signedness) => signedness == Signedness::Signed,
                None => high > bits.mask() >> 1,
            };
            let number = |text: String| {
                let code = text.parse().ok().filter(|_| notation.is_character());
                code.and_then(character).unwrap_or(text)
            };
            let (from, to) = if is_signed {
                (number(bits.signed_min().to_string()), number(bits.signed_max().to_string()))
            } else {
                (number(low.to_string()), number(high.to_string()))
            };
            let says_nothing = !is_signed && low == 0 && high == bits.mask();
            let text = if bits.is_fixed() {
                format!("{name} = {from}")
            } else if bits.interval().is_full() || says_nothing {
                return class_text(name, bits);
            } else if low == 1 && high == bits.mask() {
                format!("{name} != 0")
            } else {
                format!("{from} <= {name} <= {to}")
            };
            match class_text(name, bits) {
                Some(class) if !bits.is_fixed() && class != text => {
                    Some(format!("{text}, {class}"))
                }
                Some(_) | None => Some(text),
            }
        }
        Domain::Bool(truth) => truth.value().map(|value| format!("{name} = {}", u8::from(value))),
        Domain::Float(float) => {
            let (lo, hi) = float.numbers()?;
            let nan = if float.may_be_nan() { " or NaN" } else { "" };
            Some(format!("{:?} <= {name} <= {:?}{nan}", lo.to_f64(), hi.to_f64()))
        }
        Domain::Wide(_) | Domain::Opaque => None,
    }
}

/// A congruence, in words.
fn class_text(name: &str, bits: &glassbox_kernel::BitsDomain) -> Option<String> {
    let class = bits.congruence();
    if !class.is_any() {
        return Some(format!("{name} mod {} = {}", class.modulus(), class.residue()));
    }
    let n_low = bits.known().known_low();
    if n_low == 0 || n_low >= u32::from(bits.width()) {
        return None;
    }
    let modulus = 1_u128 << n_low;
    Some(format!("{name} mod {modulus} = {}", u128::from(bits.known().ones) & (modulus - 1)))
}

/// Positive terms on the left, the rest on the right.
pub fn sum_text(terms: &Terms, sum: &TermSum, relation: &str) -> String {
    sum_in(&|_| Notation::Unknown, terms, sum, relation)
}

/// The same, where the names of variables say how their numbers are read.
pub fn sum_in(
    notation: &dyn Fn(&str) -> Notation,
    terms: &Terms,
    sum: &TermSum,
    relation: &str,
) -> String {
    let side = |sign: i128| {
        let mut parts: Vec<String> = Vec::new();
        for &(variable, signedness, c) in &sum.terms {
            if (c > 0) != (sign > 0) {
                continue;
            }
            let name = name_of(terms, variable);
            let is_declared = notation(name).signedness() == Some(Signedness::Unsigned);
            let name = match signedness {
                Signedness::Unsigned if !is_declared => format!("(unsigned){name}"),
                Signedness::Signed | Signedness::Unsigned => name.to_owned(),
            };
            parts.push(if c.abs() == 1 { name } else { format!("{}*{name}", c.abs()) });
        }
        if (sum.constant > 0 && sign > 0) || (sum.constant < 0 && sign < 0) {
            parts.push(sum.constant.abs().to_string());
        }
        if parts.is_empty() { "0".to_owned() } else { parts.join(" + ") }
    };
    format!("{} {relation} {}", side(1), side(-1))
}
