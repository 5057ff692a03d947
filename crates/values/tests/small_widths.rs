//! Every integer operation against its definition in mathematical integers, on all operands of small
//! widths and on random ones of all widths.

use std::cmp::Ordering;

use glassbox_testkit::Random;
use glassbox_values::bits::{Bits, Signedness, mask};

const BOTH: [Signedness; 2] = [Signedness::Signed, Signedness::Unsigned];

fn number(bits: Bits, signedness: Signedness) -> i128 {
    match signedness {
        Signedness::Signed => bits.signed(),
        Signedness::Unsigned => i128::try_from(bits.unsigned()).expect("widths here are below 128"),
    }
}

fn bounds(signedness: Signedness, width: u8) -> (i128, i128) {
    match signedness {
        Signedness::Signed => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        Signedness::Unsigned => (0, (1 << width) - 1),
    }
}

fn fits(value: i128, signedness: Signedness, width: u8) -> bool {
    let (lo, hi) = bounds(signedness, width);
    lo <= value && value <= hi
}

/// The low bits of a mathematical integer.
fn wrap(value: i128, width: u8) -> Bits {
    let bits = Bits::new(value.rem_euclid(1 << width).unsigned_abs(), width);
    assert_eq!(bits, Bits::from_signed(value, width));
    bits
}

/// Laws of one operand; the width is at most 60, so that `i128` holds every exact result.
fn check_unary(a: Bits) {
    let width = a.width();
    let (signed, unsigned) = (number(a, Signedness::Signed), number(a, Signedness::Unsigned));
    assert_eq!((signed - unsigned).rem_euclid(1 << width), 0, "{a:?}");
    assert!(fits(signed, Signedness::Signed, width) && fits(unsigned, Signedness::Unsigned, width));
    assert_eq!(a.neg(), wrap(-unsigned, width));
    assert_eq!(a.not(), wrap(-1 - unsigned, width));
    assert_eq!(a.abs(), wrap(signed.abs(), width));
    assert_eq!(a.neg_overflows(), !fits(-signed, Signedness::Signed, width), "{a:?}");
    assert_eq!(a.checked_neg(), (!a.neg_overflows()).then(|| a.neg()));
    assert_eq!(a.sign_bit(), signed < 0);
    assert_eq!(a.is_min_signed(), signed == bounds(Signedness::Signed, width).0);
    assert_eq!(a.is_ones(), signed == -1);
    let digits = binary_digits(a);
    assert_eq!(digits.len(), usize::from(width));
    let leading = digits.len() - digits.trim_start_matches('0').len();
    assert_eq!(usize::from(a.leading_zeros()), leading, "{a:?}");
    let trailing = digits.len() - digits.trim_end_matches('0').len();
    assert_eq!(usize::from(a.trailing_zeros()), trailing, "{a:?}");
    assert_eq!(usize::from(a.count_ones()), digits.matches('1').count(), "{a:?}");
    assert_eq!(a.parity(), digits.matches('1').count() % 2 == 1, "{a:?}");
    let top = digits.chars().next().expect("a width is at least 1");
    let copies = digits.len() - digits.trim_start_matches(top).len() - 1;
    assert_eq!(usize::from(a.redundant_sign_bits()), copies, "{a:?}");
    for index in 0..width {
        assert_eq!(a.bit(index), digits.as_bytes()[usize::from(width - 1 - index)] == b'1');
    }
    check_resizing(a);
    check_text(a);
}

/// As many binary digits as the width.
fn binary_digits(a: Bits) -> String {
    format!("{:0digits$b}", a.unsigned(), digits = usize::from(a.width()))
}

fn check_resizing(a: Bits) {
    let width = a.width();
    for signedness in BOTH {
        let value = number(a, signedness);
        for to in 1..=width + 3 {
            assert_eq!(a.resize(to, signedness), wrap(value, to), "{a:?} to {to}");
            let unsigned = u128::try_from(value).ok();
            if let Some(unsigned) = unsigned {
                assert_eq!(Bits::try_from_unsigned(unsigned, to).is_some(), unsigned <= mask(to));
            }
        }
    }
    let digits = binary_digits(a);
    for lo in 0..width {
        for hi in lo..width {
            let cut = &digits[usize::from(width - 1 - hi)..usize::from(width - lo)];
            let part = a.extract(hi, lo);
            assert_eq!(binary_digits(part), cut, "{a:?} [{hi}:{lo}]");
            assert_eq!(a.insert(lo, part), a);
            for other in [Bits::zero(width), Bits::ones(width), a.not()] {
                let merged = other.insert(lo, part);
                assert_eq!(merged.extract(hi, lo), part);
                assert_eq!(merged.insert(lo, other.extract(hi, lo)), other);
            }
        }
        if lo > 0 {
            assert_eq!(a.extract(width - 1, lo).concat(a.truncate(lo)), a);
        }
    }
}

fn check_text(a: Bits) {
    let width = a.width();
    for signedness in BOTH {
        let text = a.to_decimal(signedness);
        assert_eq!(text, number(a, signedness).to_string());
        assert_eq!(Bits::parse(&text, signedness, width), Ok(a));
    }
    assert_eq!(Bits::parse(&a.to_hex(), Signedness::Unsigned, width), Ok(a));
    assert_eq!(Bits::parse(&format!("0b{}", binary_digits(a)), Signedness::Unsigned, width), Ok(a));
    for text in ["", "-", "0x", "1x", "é"] {
        assert!(Bits::parse(text, Signedness::Signed, width).is_err(), "{text}");
    }
    for signedness in BOTH {
        let (lo, hi) = bounds(signedness, width);
        assert!(Bits::parse(&(hi + 1).to_string(), signedness, width).is_err());
        assert!(Bits::parse(&(lo - 1).to_string(), signedness, width).is_err());
    }
}

/// Laws of two operands of one width; the width is at most 60.
fn check_binary(a: Bits, b: Bits) {
    let width = a.width();
    for signedness in BOTH {
        let (x, y) = (number(a, signedness), number(b, signedness));
        let (lo, hi) = bounds(signedness, width);
        for (exact, wrapped, overflows, checked) in [
            (x + y, a.add(b), a.add_overflows(b, signedness), a.checked_add(b, signedness)),
            (x - y, a.sub(b), a.sub_overflows(b, signedness), a.checked_sub(b, signedness)),
            (x * y, a.mul(b), a.mul_overflows(b, signedness), a.checked_mul(b, signedness)),
        ] {
            assert_eq!(wrapped, wrap(exact, width), "{a:?} {b:?}");
            assert_eq!(overflows, !fits(exact, signedness, width), "{a:?} {b:?} {signedness:?}");
            assert_eq!(checked, (!overflows).then_some(wrapped), "{a:?} {b:?}");
        }
        assert_eq!(a.saturating_add(b, signedness), wrap((x + y).clamp(lo, hi), width));
        assert_eq!(a.saturating_sub(b, signedness), wrap((x - y).clamp(lo, hi), width));
        assert_eq!(a.compare(b, signedness), x.cmp(&y), "{a:?} {b:?} {signedness:?}");
        assert_eq!(a.less(b, signedness), x < y, "{a:?} {b:?} {signedness:?}");
        assert_eq!(a.less_equal(b, signedness), x <= y, "{a:?} {b:?} {signedness:?}");
    }
    assert_eq!(a.ult(b), a.compare(b, Signedness::Unsigned) == Ordering::Less);
    assert_eq!(a.ule(b), a.compare(b, Signedness::Unsigned) != Ordering::Greater);
    assert_eq!(a.slt(b), a.compare(b, Signedness::Signed) == Ordering::Less);
    assert_eq!(a.sle(b), a.compare(b, Signedness::Signed) != Ordering::Greater);
    for index in 0..width {
        assert_eq!(a.and(b).bit(index), a.bit(index) && b.bit(index));
        assert_eq!(a.or(b).bit(index), a.bit(index) || b.bit(index));
        assert_eq!(a.xor(b).bit(index), a.bit(index) != b.bit(index));
    }
    check_division(a, b);
    check_shifts(a, b);
}

fn check_division(a: Bits, b: Bits) {
    let width = a.width();
    let (x, y) = (number(a, Signedness::Unsigned), number(b, Signedness::Unsigned));
    let (s, t) = (number(a, Signedness::Signed), number(b, Signedness::Signed));
    if y == 0 {
        assert_eq!(a.udiv(b), Bits::ones(width));
        assert_eq!(a.sdiv(b), wrap(if s < 0 { 1 } else { -1 }, width));
        assert_eq!([a.urem(b), a.srem(b), a.smod(b)], [a; 3]);
        assert_eq!([a.checked_udiv(b), a.checked_urem(b), a.checked_sdiv(b)], [None; 3]);
        assert_eq!(a.checked_srem(b), None);
        return;
    }
    assert_eq!(a.udiv(b), wrap(x / y, width), "{a:?} {b:?}");
    assert_eq!(a.urem(b), wrap(x % y, width), "{a:?} {b:?}");
    assert_eq!(a.checked_udiv(b), Some(a.udiv(b)));
    assert_eq!(a.checked_urem(b), Some(a.urem(b)));
    assert_eq!(a.sdiv(b), wrap(s / t, width), "{a:?} {b:?}");
    assert_eq!(a.srem(b), wrap(s % t, width), "{a:?} {b:?}");
    let floored = s / t - i128::from(s % t != 0 && (s < 0) != (t < 0));
    assert_eq!(a.smod(b), wrap(s - t * floored, width), "{a:?} {b:?}");
    let defined = fits(s / t, Signedness::Signed, width);
    assert_eq!(a.sdiv_overflows(b), !defined, "{a:?} {b:?}");
    assert_eq!(a.checked_sdiv(b), defined.then(|| a.sdiv(b)));
    assert_eq!(a.checked_srem(b), defined.then(|| a.srem(b)));
}

fn check_shifts(a: Bits, b: Bits) {
    let width = a.width();
    let amount = b.unsigned();
    // Bit by bit: where each result bit comes from, if from anywhere.
    let source = |from: i128| (0 <= from && from < i128::from(width)).then(|| a.bit(from as u8));
    let amount_signed = i128::try_from(amount).expect("widths here are below 128");
    for index in 0..i128::from(width) {
        let at = index as u8;
        assert_eq!(a.shl(b).bit(at), source(index - amount_signed).unwrap_or(false), "{a:?} {b:?}");
        assert_eq!(
            a.lshr(b).bit(at),
            source(index + amount_signed).unwrap_or(false),
            "{a:?} {b:?}"
        );
        let above = source(index + amount_signed).unwrap_or(a.sign_bit());
        assert_eq!(a.ashr(b).bit(at), above, "{a:?} {b:?}");
    }
}

#[test]
fn every_operation_on_all_operands_of_1_to_6_bits() {
    for width in 1..=6 {
        for a in 0..1 << width {
            let a = Bits::new(a, width);
            check_unary(a);
            for b in 0..1 << width {
                check_binary(a, Bits::new(b, width));
            }
        }
    }
}

/// Numbers of any size, near zero from both sides.
trait RandomBits {
    fn bits(&mut self, width: u8) -> Bits;
}

impl RandomBits for Random {
    fn bits(&mut self, width: u8) -> Bits {
        let raw = self.wide();
        let bits =
            Bits::new(Bits::new(raw, width).unsigned() >> (self.draw() % u64::from(width)), width);
        if self.draw().is_multiple_of(2) { bits } else { bits.not() }
    }
}

#[test]
fn every_operation_on_random_operands_of_7_to_60_bits() {
    let mut random = Random::new(1);
    for width in 7..=60 {
        for _ in 0..40 {
            let (a, b) = (random.bits(width), random.bits(width));
            check_binary(a, b);
            check_binary(a, Bits::new(u128::from(random.draw() % 70), width));
        }
        check_unary(random.bits(width));
    }
}

/// Beyond 60 bits an operation is compared with the one two to 64 bits wider on extended operands.
#[test]
fn wide_operations_agree_with_wider_ones() {
    let mut random = Random::new(2);
    for width in 61..=126 {
        let wider = (width + 2 + (random.draw() % 64) as u8).min(128);
        for _ in 0..60 {
            let (a, b) = (random.bits(width), random.bits(width));
            let (u, v) = (a.zero_extend(wider), b.zero_extend(wider));
            let (s, t) = (a.sign_extend(wider), b.sign_extend(wider));
            assert_eq!(a.add(b), u.add(v).truncate(width));
            assert_eq!(a.sub(b), s.sub(v).truncate(width));
            assert_eq!(a.mul(b), u.mul(t).truncate(width));
            assert_eq!(a.neg(), u.neg().truncate(width));
            assert_eq!(a.ult(b), u.ult(v));
            assert_eq!(a.slt(b), s.slt(t));
            assert_eq!(
                a.add_overflows(b, Signedness::Signed),
                s.add(t).truncate(width).sign_extend(wider) != s.add(t)
            );
            assert_eq!(
                a.add_overflows(b, Signedness::Unsigned),
                u.add(v).truncate(width).zero_extend(wider) != u.add(v)
            );
            assert_eq!(
                a.sub_overflows(b, Signedness::Signed),
                s.sub(t).truncate(width).sign_extend(wider) != s.sub(t)
            );
            let amount = Bits::new(u128::from(random.draw() % 140), 8);
            assert_eq!(
                a.shl(amount),
                if amount.unsigned() < u128::from(wider) {
                    u.shl(amount).truncate(width)
                } else {
                    Bits::zero(width)
                }
            );
            assert_eq!(a.lshr(amount), u.lshr(amount).truncate(width));
            assert_eq!(a.ashr(amount), s.ashr(amount).truncate(width));
            if !b.is_zero() {
                assert_eq!(a.udiv(b), u.udiv(v).truncate(width));
                assert_eq!(a.urem(b), u.urem(v).truncate(width));
                assert_eq!(a.sdiv(b), s.sdiv(t).truncate(width));
                assert_eq!(a.srem(b), s.srem(t).truncate(width));
                assert_eq!(a.smod(b), s.smod(t).truncate(width));
            }
            assert_eq!(a.leading_zeros(), u.leading_zeros() - (wider - width));
            assert_eq!(a.not(), s.not().truncate(width));
            for signedness in BOTH {
                assert_eq!(Bits::parse(&a.to_decimal(signedness), signedness, width), Ok(a));
            }
        }
    }
}

#[test]
fn products_near_the_limits_of_wide_widths() {
    let mut random = Random::new(3);
    for width in 61..=128 {
        for _ in 0..200 {
            let (a, b) = (random.bits(width), random.bits(width));
            // a * b fits exactly when dividing the wrapped product gives back the factor.
            let product = a.mul(b);
            let unsigned = !b.is_zero() && product.udiv(b) != a;
            assert_eq!(a.mul_overflows(b, Signedness::Unsigned), unsigned, "{a:?} {b:?}");
            let signed = !b.is_zero() && (a.sdiv_overflows(b) || product.sdiv(b) != a);
            assert_eq!(a.mul_overflows(b, Signedness::Signed), signed, "{a:?} {b:?}");
        }
    }
}

#[test]
fn bytes_in_both_directions() {
    let mut random = Random::new(4);
    for n_bytes in 1..=16 {
        let bits = random.bits(8 * n_bytes);
        let bytes = bits.to_le_bytes();
        assert_eq!(Bits::from_le_bytes(&bytes), bits);
        let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
        assert_eq!(Bits::from_le_bytes(&reversed), bits.swap_bytes());
    }
    assert_eq!(Bits::from_u64(u64::MAX, 100).unsigned(), u128::from(u64::MAX));
    assert_eq!(Bits::from_i64(-1, 100), Bits::ones(100));
    assert_eq!(Bits::new(1 << 64, 128).to_u64(), None);
}
