//! Conversions between floats, and between floats and integers, against gcc.

use glassbox_testkit::Random;
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

use crate::gcc::{Results, compile};
use crate::operands::{Operands, corner_floats, corner_integers};

/// The modes of `fesetround`, in the driver's order.
const MODES: [RoundingMode; 4] = [
    RoundingMode::NearestEven,
    RoundingMode::TowardPositive,
    RoundingMode::TowardNegative,
    RoundingMode::TowardZero,
];

const DRIVER: &str = r"
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef unsigned __int128 u128; typedef __int128 s128;
static const int modes[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
static void o(u128 x) { fwrite(&x, 16, 1, stdout); }
static void o64(double x) { uint64_t u; memcpy(&u, &x, 8); o(x != x ? 0x7ff8000000000000 : u); }
static void o32(float x) { uint32_t u; memcpy(&u, &x, 4); o(x != x ? 0x7fc00000 : u); }
static void o16(_Float16 x) { uint16_t u; memcpy(&u, &x, 2); o(x != x ? 0x7e00 : u); }
/* Each result follows a flag: is the conversion defined? */
#define TO(T, low, high) do { int d = x > (low) && x < (high); o(d); if (d) o((u128)(T)v); } while (0)
#define TO_INTEGERS \
  TO(int8_t, -129.0, 128.0); TO(uint8_t, -1.0, 256.0); \
  TO(int16_t, -32769.0, 32768.0); TO(uint16_t, -1.0, 65536.0); \
  TO(int32_t, -2147483649.0, 2147483648.0); TO(uint32_t, -1.0, 4294967296.0); \
  TO(int64_t, -0x1.0000000000001p63, 0x1p63); TO(uint64_t, -1.0, 0x1p64); \
  TO(s128, -0x1.0000000000001p127, 0x1p127); TO(u128, -1.0, 0x1p128)
static void from_float(int w, uint64_t bits) {
  double x; float f = 0; _Float16 h = 0;
  if (w == 64) memcpy(&x, &bits, 8);
  else if (w == 32) { memcpy(&f, &bits, 4); x = f; }
  else { memcpy(&h, &bits, 2); x = h; }
  o64(x);
  if (w == 64) { double v = x; TO_INTEGERS; }
  else if (w == 32) { float v = f; TO_INTEGERS; }
  else { _Float16 v = h; TO_INTEGERS; }
  for (int m = 0; m < 4; m++) {
    fesetround(modes[m]);
    volatile double v = x;
    float single = (float)v;
    double integral = rint(v);
    int d = integral >= -0x1p63 && integral < 0x1p63;
    long rounded = d ? lrint(v) : 0;
    fesetround(FE_TONEAREST);
    o32(single); o(d); if (d) o((u128)(s128)rounded);
  }
  if (w == 32) for (int m = 0; m < 4; m++) {
    fesetround(modes[m]);
    volatile float v = f;
    _Float16 half = (_Float16)v;
    fesetround(FE_TONEAREST);
    o16(half);
  } else if (w == 64) { o16((_Float16)x); }
}
#define FROM(T) do { \
  volatile T v = (T)bits; \
  for (int m = 0; m < (sizeof(T) == 16 ? 1 : 4); m++) { \
    fesetround(modes[m]); \
    float single = (float)v; double wide = (double)v; \
    fesetround(FE_TONEAREST); \
    o32(single); o64(wide); } } while (0)
static void from_integer(u128 bits) {
  FROM(int8_t); FROM(uint8_t); FROM(int16_t); FROM(uint16_t); FROM(int32_t); FROM(uint32_t);
  FROM(int64_t); FROM(uint64_t); FROM(s128); FROM(u128);
  o16((_Float16)(int32_t)bits); o16((_Float16)(uint32_t)bits);
}
int main(void) {
  struct { u128 w, bits; } r;
  while (fread(&r, sizeof r, 1, stdin) == 1)
    if (r.w == 0) from_integer(r.bits); else from_float((int)r.w, (uint64_t)r.bits);
  return 0;
}
";

const TYPES: [(u8, Signedness); 10] = [
    (8, Signedness::Signed),
    (8, Signedness::Unsigned),
    (16, Signedness::Signed),
    (16, Signedness::Unsigned),
    (32, Signedness::Signed),
    (32, Signedness::Unsigned),
    (64, Signedness::Signed),
    (64, Signedness::Unsigned),
    (128, Signedness::Signed),
    (128, Signedness::Unsigned),
];

fn run(records: &[(u128, u128)]) -> Results {
    let mut input = Vec::new();
    for (kind, bits) in records {
        input.extend(kind.to_le_bytes());
        input.extend(bits.to_le_bytes());
    }
    Results::new(compile(DRIVER).run(&input))
}

#[track_caller]
fn check_float(ours: Float, results: &mut Results, from: &dyn std::fmt::Debug) {
    let theirs = results.take();
    assert!(u128::from(ours.to_bits()) == theirs, "{from:?}: {ours:?} here, {theirs:#x} with gcc");
}

/// Compares flag and value; the driver widened the value with its own signedness.
#[track_caller]
fn check_integer(
    ours: Option<Bits>,
    signedness: Signedness,
    results: &mut Results,
    from: &dyn std::fmt::Debug,
) {
    let theirs = if results.take() == 1 { Some(results.take()) } else { None };
    let ours = ours.map(|bits| bits.resize(128, signedness).unsigned());
    assert_eq!(ours, theirs, "{from:?}: here and with gcc");
}

#[test]
fn floats_to_floats_and_integers() {
    let mut random = Random::new(5);
    let mut floats = Vec::new();
    for format in [Format::F64, Format::F32] {
        floats.extend(corner_floats(format));
        for _ in 0..5000 {
            floats.push(random.float(format));
            // Around the ranges of the integer types.
            let integer = random.signed_bits(128);
            let near = RoundingMode::NearestEven;
            floats.push(Float::from_int(integer, Signedness::Signed, format, near));
        }
    }
    floats.extend((0..1 << 16).step_by(5).map(|bits| Float::from_bits(bits, Format::F16)));
    let record = |float: &Float| (u128::from(float.format().width()), u128::from(float.to_bits()));
    let mut results = run(&floats.iter().map(record).collect::<Vec<_>>());
    for float in floats {
        let wide = float.convert(Format::F64, RoundingMode::NearestEven);
        check_float(wide, &mut results, &float);
        for (width, signedness) in TYPES {
            let ours = float.to_int(RoundingMode::TowardZero, width, signedness);
            check_integer(ours, signedness, &mut results, &(float, width, signedness));
        }
        for mode in MODES {
            let single = wide.convert(Format::F32, mode);
            assert_eq!(
                single,
                wide.soft_convert(Format::F32, mode),
                "host and exact core: {wide:?}"
            );
            check_float(single, &mut results, &(wide, mode));
            let ours = wide.to_int(mode, 64, Signedness::Signed);
            check_integer(ours, Signedness::Signed, &mut results, &(wide, mode));
        }
        if float.format() == Format::F32 {
            for mode in MODES {
                check_float(float.convert(Format::F16, mode), &mut results, &(float, mode));
            }
        } else if float.format() == Format::F64 {
            let half = float.convert(Format::F16, RoundingMode::NearestEven);
            check_float(half, &mut results, &float);
        }
    }
    results.finish();
}

#[test]
fn integers_to_floats() {
    let mut random = Random::new(6);
    let mut integers = Vec::new();
    for width in [8, 16, 32, 64, 128] {
        integers.extend(corner_integers(width).iter().map(|bits| bits.sign_extend(128)));
        integers.extend((0..1500).map(|_| random.signed_bits(width).sign_extend(128)));
    }
    // Halfway and next to halfway between floats.
    for _ in 0..1500 {
        let odd = Bits::new(u128::from(random.draw() >> random.below(60)), 128);
        let shift = Bits::new(u128::from(random.below(64_u64)), 8);
        let half = odd.shl(shift);
        integers.extend([half, half.add(Bits::one(128)), half.sub(Bits::one(128))]);
    }
    let mut results = run(&integers.iter().map(|bits| (0, bits.unsigned())).collect::<Vec<_>>());
    for integer in integers {
        for (width, signedness) in TYPES {
            let value = integer.truncate(width);
            // libgcc converts __int128 to nearest even whatever the mode.
            let modes = if width == 128 { &MODES[..1] } else { &MODES[..] };
            for &mode in modes {
                for format in [Format::F32, Format::F64] {
                    let ours = Float::from_int(value, signedness, format, mode);
                    check_float(ours, &mut results, &(value, signedness, format, mode));
                }
            }
        }
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            let value = integer.truncate(32);
            let near = RoundingMode::NearestEven;
            let ours = Float::from_int(value, signedness, Format::F16, near);
            check_float(ours, &mut results, &(value, signedness));
        }
    }
    results.finish();
}
