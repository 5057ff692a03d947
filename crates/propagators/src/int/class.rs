//! Residue classes of domains, for deductions between sums and products that do not wrap.

use glassbox_kernel::domain::congruence::gcd;
use glassbox_kernel::{BitsDomain, Conflict, Premises, Store, VarIdx};

/// `value ≡ residue (mod modulus)`; modulus 0 means the value is the residue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) residue: u64,
    pub(crate) modulus: u64,
}

impl Class {
    /// The class of a domain, `None` when there is none but "any number".
    pub(crate) fn of(domain: &BitsDomain) -> Option<Class> {
        if let Some(value) = domain.value() {
            return Some(Class { residue: value, modulus: 0 });
        }
        let congruence = domain.congruence();
        if congruence.is_any() {
            return None;
        }
        Some(Class { residue: congruence.residue(), modulus: congruence.modulus() })
    }

    /// The class of `x + y` over the integers, unless it says nothing.
    pub(crate) fn add(self, other: Class) -> Option<Class> {
        let modulus = gcd(self.modulus, other.modulus);
        let sum = u128::from(self.residue) + u128::from(other.residue);
        Class::new(sum, modulus)
    }

    /// The class of `x - y` over the integers, unless it says nothing or both are fixed.
    pub(crate) fn sub(self, other: Class) -> Option<Class> {
        let modulus = gcd(self.modulus, other.modulus);
        if modulus == 0 {
            return None;
        }
        let minus = modulus - other.residue % modulus;
        Class::new(u128::from(self.residue) + u128::from(minus), modulus)
    }

    fn new(residue: u128, modulus: u64) -> Option<Class> {
        if modulus <= 1 {
            return None;
        }
        let residue = u64::try_from(residue % u128::from(modulus)).expect("below the modulus");
        Some(Class { residue, modulus })
    }

    pub(crate) fn narrow(
        self,
        store: &mut Store,
        var: VarIdx,
        why: Premises,
    ) -> Result<(), Conflict> {
        match BitsDomain::from_congruence(self.residue, self.modulus, store.bits(var).width()) {
            None => Err(store.fail(why)),
            Some(domain) => store.narrow_bits(var, &domain, why).map(|_| ()),
        }
    }
}
