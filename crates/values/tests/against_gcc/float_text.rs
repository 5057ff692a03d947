//! Floats as text against glibc: `strtod`, `strtof` and `%a` in every rounding mode of C.

use glassbox_testkit::Random;
use glassbox_values::{Float, Format, RoundingMode};

use crate::gcc::compile;
use crate::operands::{Operands, corner_floats};

/// The modes of `fesetround`, in the driver's order.
const MODES: [RoundingMode; 4] = [
    RoundingMode::NearestEven,
    RoundingMode::TowardPositive,
    RoundingMode::TowardNegative,
    RoundingMode::TowardZero,
];

/// Reads lines; writes the line's float and double in each mode, and the double as `%a`.
const DRIVER: &str = r#"
#define _GNU_SOURCE
#include <fenv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  static const int modes[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
  char *line = 0; size_t capacity = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    double nearest = 0;
    for (int m = 0; m < 4; m++) {
      fesetround(modes[m]);
      double d = strtod(line, 0); float f = strtof(line, 0);
      fesetround(FE_TONEAREST);
      uint64_t du; uint32_t fu;
      memcpy(&du, &d, 8); memcpy(&fu, &f, 4);
      printf("%016lx %08x ", (unsigned long)du, fu);
      if (m == 0) nearest = d;
    }
    printf("%a\n", nearest);
  }
  return 0;
}
"#;

/// Decimal and hexadecimal numbers: ordinary ones, halves between floats, extremes, long ones.
fn texts() -> Vec<String> {
    let mut random = Random::new(7);
    let mut texts = Vec::new();
    for fixed in
        ["0", "-0", "0.0e99", "1.", ".5", "+3.25E2", "1e400", "-1e-400", "1e999999999999999999"]
    {
        texts.push(fixed.to_owned());
    }
    for fixed in [
        "0x1p-1074",
        "0x1p-1075",
        "0x1.8p-1075",
        "0X.8P1",
        "0x1p99999999999",
        "0x0p5",
        "0x1p-99999",
    ] {
        texts.push(fixed.to_owned());
    }
    for format in [Format::F32, Format::F64] {
        let mut floats = corner_floats(format);
        floats.extend((0..500).map(|_| random.float(format)));
        for float in floats.into_iter().filter(|float| float.is_finite()) {
            let exact = float.to_f64();
            let next = float.next_up().to_f64();
            texts.extend([float.to_decimal(), float.to_hex(), format!("{exact:e}")]);
            if format == Format::F32 && next.is_finite() {
                // Exactly halfway, and a hair above.
                let middle = format!("{:.200}", f64::midpoint(exact, next));
                texts.extend([format!("{middle}0000001"), middle]);
            }
        }
    }
    for _ in 0..1500 {
        let digits = random.draw() >> random.below(64);
        let exponent = random.below(700) as i64 - 350;
        texts.push(format!("{digits}e{exponent}"));
        texts.push(format!("0.000{digits}{:019}e{}", random.draw(), exponent / 8));
        texts.push(format!("-0x{:x}.{:x}p{exponent}", random.draw(), random.draw()));
    }
    // Halfway between subnormals, hundreds of digits, and a hair to either side.
    for odd in [1, 3, (1 << 53) - 1, random.below(1 << 53) | 1] {
        let halfway = decimal_of_scaled(odd);
        let below =
            halfway.strip_suffix('5').expect("a power of 1/2 should end in 5").to_owned() + "4999";
        let far_above = format!("{halfway}{}1", "0".repeat(900));
        texts.extend([below, far_above, format!("{halfway}0001"), halfway]);
    }
    // More hexadecimal digits than fit, on both sides of the point, halfway but for the last.
    for zeros in [20, 40, 60] {
        let zeros = "0".repeat(zeros);
        texts.push(format!("0x1.00000000000008{zeros}1p0"));
        texts.push(format!("0x1.00000000000008{zeros}p0"));
        texts.push(format!("0x1.000001{zeros}1p-3"));
        texts.push(format!("0x10000000000000800{zeros}1p-200"));
        texts.push(format!("0x123456789abcdef{zeros}.8p-180"));
    }
    texts.push("9".repeat(900) + "." + &"1".repeat(900));
    texts.push("0.".to_owned() + &"0".repeat(320) + &"24703282292062327208".repeat(60));
    texts
}

/// All decimal digits of `factor * 2^-1075`, which is `factor * 5^1075 / 10^1075`.
fn decimal_of_scaled(factor: u64) -> String {
    let mut digits: Vec<u8> = factor.to_string().bytes().rev().map(|digit| digit - b'0').collect();
    for _ in 0..1075 {
        let mut carry = 0;
        for digit in &mut digits {
            let product = 5 * *digit + carry;
            *digit = product % 10;
            carry = product / 10;
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    let text: String = digits.iter().rev().map(|&digit| char::from(b'0' + digit)).collect();
    format!("0.{text:0>1075}")
}

#[test]
fn reading_and_writing_text() {
    let texts = texts();
    let output = compile(DRIVER).run((texts.join("\n") + "\n").as_bytes());
    let output = String::from_utf8(output).expect("the driver should write ASCII");
    assert_eq!(output.lines().count(), texts.len());
    for (text, line) in texts.iter().zip(output.lines()) {
        let mut words = line.split(' ');
        for mode in MODES {
            for format in [Format::F64, Format::F32] {
                let ours = Float::parse(text, format, mode).expect("the text should be a float");
                let theirs = words.next().expect("there should be a word for each");
                let theirs = u64::from_str_radix(theirs, 16).expect("words should be hexadecimal");
                assert_eq!(ours.to_bits(), theirs, "{text} as {format:?}, {mode:?}");
                if !text.contains(['x', 'X']) {
                    let soft = Float::soft_parse_decimal(text, format, mode);
                    assert_eq!(
                        soft,
                        Ok(ours),
                        "{text} as {format:?}, {mode:?}: host and exact core"
                    );
                }
            }
        }
        let near = RoundingMode::NearestEven;
        let double = Float::parse(text, Format::F64, near).expect("the text should be a float");
        assert_eq!(Some(double.to_hex().as_str()), words.next(), "{text} as %a");
    }
}
