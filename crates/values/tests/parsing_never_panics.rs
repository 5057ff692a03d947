//! Whatever text comes in, reading numbers gives a value or an error.

use glassbox_testkit::Random;
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

/// Texts made of the characters that numbers are made of, so that many get far.
#[test]
fn random_texts() {
    let alphabets = ["00123456789abcdefpPxXeE..+--inf né", "0123456789012345678901234567890.ep"];
    let alphabets = alphabets.map(|letters| letters.chars().collect::<Vec<_>>());
    let mut random = Random::new(1);
    let mut n_read = 0;
    for _ in 0..60_000 {
        let prefix = ["", "-", "0x", "-0x1", "1e", "0.", "inf"][random.below(7)];
        let length = random.below(12);
        let alphabet = &alphabets[random.below(2)];
        let mut text = prefix.to_owned();
        for _ in 0..length {
            text.push(alphabet[random.below(alphabet.len())]);
        }
        let format = [Format::F64, Format::F32, Format::F16][random.below(3)];
        let rounding = RoundingMode::ALL[random.below(5)];
        if let Ok(float) = Float::parse(&text, format, rounding) {
            n_read += 1;
            // What was read can be written and read again.
            assert_eq!(Float::parse(&float.to_hex(), format, rounding), Ok(float), "{text}");
        }
        let ratio = Float::parse_ratio(&text, "3", format, rounding);
        let inverse = Float::parse_ratio("3", &text, format, rounding);
        assert!(inverse.is_err() || ratio.is_ok(), "{text}");
        let width = 1 + random.below(128_u8);
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            if let Ok(bits) = Bits::parse(&text, signedness, width) {
                assert_eq!(Bits::parse(&bits.to_decimal(signedness), signedness, width), Ok(bits));
            }
        }
    }
    assert!(n_read > 5000, "only {n_read} texts were numbers, so the test shows little");
}

#[test]
fn very_long_texts() {
    let digits = "1234567890".repeat(100_000);
    for text in [
        digits.clone(),
        format!("0.{}{digits}", "0".repeat(100_000)),
        format!("{digits}e-1000000"),
        format!("0x{digits}p-4000000"),
        format!("0x.{}1p400000", "0".repeat(100_000)),
        format!("1e{digits}"),
        format!("0x1p-{digits}"),
    ] {
        for rounding in RoundingMode::ALL {
            assert!(Float::parse(&text, Format::F64, rounding).is_ok());
        }
    }
    let one = Float::parse(&format!("{digits}e-999999"), Format::F64, RoundingMode::TowardZero);
    assert_eq!(one, Ok(Float::from_f64(1.234_567_890_123_456_7)));
    assert!(Bits::parse(&digits, Signedness::Unsigned, 128).is_err());
}
