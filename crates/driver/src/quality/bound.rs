//! Numbers behind an estimate: bounds of a probability, and how many tests a quality needs.

use dashu_int::UBig;

/// A fraction between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fraction {
    pub top: u64,
    pub bottom: u64,
}

impl Fraction {
    /// A decimal below 1 with at most 18 places, exactly: `0.9995`.
    pub fn decimal(text: &str) -> Option<Fraction> {
        let digits = text.trim().strip_prefix("0.").or(text.trim().strip_prefix('.'))?;
        if digits.is_empty() || digits.len() > 18 || !digits.bytes().all(|it| it.is_ascii_digit()) {
            return None;
        }
        let bottom = 10u64.pow(u32::try_from(digits.len()).ok()?);
        Some(Fraction { top: digits.parse().ok()?, bottom })
    }

    /// The next one below this number that has nine places.
    pub fn below(number: f64) -> Fraction {
        const PLACES: u64 = 1_000_000_000;
        let top = (number * PLACES as f64).floor().clamp(0.0, PLACES as f64);
        Fraction { top: top as u64, bottom: PLACES }
    }

    pub fn as_number(self) -> f64 {
        self.top as f64 / self.bottom as f64
    }
}

/// The least N with 1 - (1 - p)^N >= q, decided with exact numbers; `None` where p is 0.
pub fn tests_needed(p: Fraction, q: Fraction) -> Option<u64> {
    if p.top == 0 || p.bottom == 0 {
        return None;
    }
    if p.top >= p.bottom {
        return Some(1);
    }
    let misses = UBig::from(p.bottom - p.top);
    let all = UBig::from(p.bottom);
    let (left, whole) = (UBig::from(q.bottom - q.top.min(q.bottom)), UBig::from(q.bottom));
    let suffices = |n: u64| {
        let Ok(power) = usize::try_from(n) else { return true };
        misses.pow(power) * &whole <= &left * all.pow(power)
    };
    let guess = ((1.0 - q.as_number()).ln() / (1.0 - p.as_number()).ln()).ceil();
    // More digits than that say nothing.
    const MOST: f64 = 1e6;
    if guess.is_nan() || guess > MOST {
        return guess.is_finite().then_some(guess as u64);
    }
    let mut n = (guess as u64).max(1);
    while n > 1 && suffices(n - 1) {
        n -= 1;
    }
    while !suffices(n) {
        n += 1;
    }
    Some(n)
}

/// Clopper and Pearson's interval for the probability of what was seen `k` times in `n` trials, with 95 % confidence.
/// Draws that are spread evenly over mutants scatter less than this allows for (Hoeffding 1956).
pub fn clopper_pearson(k: u64, n: u64) -> (f64, f64) {
    const TAIL: f64 = 0.025;
    let (k, n) = (k as f64, n as f64);
    let lower = if k == 0.0 { 0.0 } else { quantile(TAIL, k, n - k + 1.0) };
    let upper = if k == n { 1.0 } else { quantile(1.0 - TAIL, k + 1.0, n - k) };
    (lower, upper)
}

/// Where the beta distribution has this share below.
fn quantile(share: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if incomplete_beta(middle, a, b) < share { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The regularized incomplete beta function, by its continued fraction (Lentz).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let factor = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln();
    const TINY: f64 = 1e-300;
    let (mut c, mut d) = (1.0, 1.0 - (a + b) * x / (a + 1.0));
    d = 1.0 / if d.abs() < TINY { TINY } else { d };
    let mut fraction = d;
    for step in 1..10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 + term * d;
            d = 1.0 / if d.abs() < TINY { TINY } else { d };
            c = 1.0 + term / c;
            c = if c.abs() < TINY { TINY } else { c };
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-14 {
            break;
        }
    }
    factor.exp() * fraction / a
}

/// Lanczos's approximation with nine terms.
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let mut sum = TERMS[0];
    for (number, term) in (1..).zip(&TERMS[1..]) {
        sum += term / (x + f64::from(number));
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::{Fraction, clopper_pearson, tests_needed};

    #[test]
    fn the_number_of_the_paper() {
        let q = Fraction::decimal("0.9995").expect("a decimal");
        assert_eq!(tests_needed(Fraction { top: 133, bottom: 1000 }, q), Some(54));
        // 1 - (1/2)^10 is a little less than 0.9991, and 1 - (1/2)^2 is 0.75 exactly.
        let half = Fraction { top: 1, bottom: 2 };
        assert_eq!(tests_needed(half, Fraction { top: 9991, bottom: 10_000 }), Some(11));
        assert_eq!(tests_needed(half, Fraction { top: 75, bottom: 100 }), Some(2));
        assert_eq!(tests_needed(Fraction { top: 0, bottom: 5 }, q), None);
        assert_eq!(tests_needed(Fraction { top: 5, bottom: 5 }, q), Some(1));
    }

    #[test]
    fn intervals_of_the_textbooks() {
        let is_near = |found: (f64, f64), low: f64, high: f64| {
            assert!((found.0 - low).abs() < 1e-4 && (found.1 - high).abs() < 1e-4, "{found:?}");
        };
        is_near(clopper_pearson(0, 10), 0.0, 0.30850);
        is_near(clopper_pearson(1, 10), 0.00253, 0.44502);
        is_near(clopper_pearson(5, 10), 0.18709, 0.81291);
        is_near(clopper_pearson(10, 10), 0.69150, 1.0);
    }

    #[test]
    fn decimals_are_exact() {
        assert_eq!(Fraction::decimal("0.9995"), Some(Fraction { top: 9995, bottom: 10_000 }));
        for wrong in ["1", "1.5", "0.", "-0.5", "0.5x", "", "0.1234567890123456789"] {
            assert_eq!(Fraction::decimal(wrong), None, "{wrong}");
        }
    }
}
