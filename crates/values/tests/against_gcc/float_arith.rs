//! Float arithmetic and comparisons against gcc and glibc, bit for bit, in their four rounding modes.

use glassbox_testkit::Random;
use glassbox_testkit::gcc::Compiled;
use glassbox_values::{Float, FloatClass, Format, RoundingMode};

use crate::gcc::{Results, compile};
use crate::operands::{Operands, corner_floats};

/// The modes of `fesetround`, in the driver's order.
const MODES: [RoundingMode; 4] = [
    RoundingMode::NearestEven,
    RoundingMode::TowardPositive,
    RoundingMode::TowardNegative,
    RoundingMode::TowardZero,
];

const PRELUDE: &str = r"
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef unsigned __int128 u128;
static const int modes[4] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
static void o(u128 x) { fwrite(&x, 16, 1, stdout); }
static void o64(double x) { uint64_t u; memcpy(&u, &x, 8); o(x != x ? 0x7ff8000000000000 : u); }
static void o32(float x) { uint32_t u; memcpy(&u, &x, 4); o(x != x ? 0x7fc00000 : u); }
static void o16(_Float16 x) { uint16_t u; memcpy(&u, &x, 2); o(x != x ? 0x7e00 : u); }
static int class(int c) {
  return c == FP_NAN ? 0 : c == FP_INFINITE ? 1 : c == FP_ZERO ? 2 : c == FP_SUBNORMAL ? 3 : 4;
}
";

/// One function per format, for `$T` with the suffix `$S` of C's functions and `$W` bits.
const ROW: &str = r"
static void row_$W(uint64_t ra, uint64_t rb, uint64_t rc) {
  $T a, b, c; memcpy(&a, &ra, sizeof a); memcpy(&b, &rb, sizeof b); memcpy(&c, &rc, sizeof c);
  o$W(fmod$S(a, b)); o$W(remainder$S(a, b)); o$W(round$S(a));
  o(a == b); o(a < b); o(a <= b);
  o$W(fabs$S(a)); o$W(-a);
  o$W(nextafter$S(a, INFINITY)); o$W(nextafter$S(a, -INFINITY));
  o(class(fpclassify(a))); o(a != a ? 0 : !!signbit(a));
  for (int m = 0; m < 4; m++) {
    fesetround(modes[m]);
    volatile $T va = a, vb = b, vc = c;
    $T sum = va + vb, difference = va - vb, product = va * vb, quotient = va / vb;
    $T root = sqrt$S(va), fused = fma$S(va, vb, vc), integral = rint$S(va);
    fesetround(FE_TONEAREST);
    o$W(sum); o$W(difference); o$W(product); o$W(quotient); o$W(root); o$W(fused); o$W(integral);
  }
}
";

const MAIN: &str = r"
static void row_16(uint64_t ra, uint64_t rb, uint64_t rc) {
  _Float16 a, b; memcpy(&a, &ra, sizeof a); memcpy(&b, &rb, sizeof b);
  o(a == b); o(a < b); o(a <= b);
  for (int m = 0; m < 4; m++) {
    fesetround(modes[m]);
    volatile _Float16 va = a, vb = b;
    _Float16 sum = va + vb, difference = va - vb, product = va * vb, quotient = va / vb;
    _Float16 root = (_Float16)sqrtf(va), integral = (_Float16)rintf(va);
    fesetround(FE_TONEAREST);
    o16(sum); o16(difference); o16(product); o16(quotient); o16(root); o16(integral);
  }
}
int main(void) {
  struct { uint64_t w, a, b, c; } r;
  while (fread(&r, sizeof r, 1, stdin) == 1) {
    if (r.w == 64) row_64(r.a, r.b, r.c);
    else if (r.w == 32) row_32(r.a, r.b, r.c);
    else row_16(r.a, r.b, r.c);
  }
  return 0;
}
";

type Triple = (Float, Float, Float);

/// What the crate says of a binary32 or binary64 triple, in the order of `ROW`.
fn expected_row((a, b, c): Triple, row: &mut Vec<u64>) {
    row.extend([a.fmod(b), a.remainder(b)].map(Float::to_bits));
    row.push(a.round_to_integral(RoundingMode::NearestAway).to_bits());
    row.extend([a.ieee_eq(b), a.ieee_lt(b), a.ieee_le(b)].map(u64::from));
    row.extend([a.abs(), a.neg()].map(Float::to_bits));
    row.extend([a.next_up(), a.next_down()].map(Float::to_bits));
    row.push(match a.class() {
        FloatClass::Nan => 0,
        FloatClass::Infinite => 1,
        FloatClass::Zero => 2,
        FloatClass::Subnormal => 3,
        FloatClass::Normal => 4,
    });
    row.push(u64::from(a.is_negative()));
    for mode in MODES {
        row.extend(four_operations(a, b, mode));
        row.push(square_root(a, mode));
        row.push(a.fma(b, c, mode).to_bits());
        row.push(a.round_to_integral(mode).to_bits());
    }
}

/// What the crate says of a binary16 pair, in the order of `row_16`.
fn expected_half_row((a, b, _): Triple, row: &mut Vec<u64>) {
    row.extend([a.ieee_eq(b), a.ieee_lt(b), a.ieee_le(b)].map(u64::from));
    for mode in MODES {
        row.extend(four_operations(a, b, mode));
        row.push(square_root(a, mode));
        row.push(a.round_to_integral(mode).to_bits());
    }
}

/// The four operations; the exact core must agree with the host and with gcc.
fn four_operations(a: Float, b: Float, mode: RoundingMode) -> [u64; 4] {
    let results = [a.add(b, mode), a.sub(b, mode), a.mul(b, mode), a.div(b, mode)];
    let soft =
        [a.soft_add(b, mode), a.soft_add(b.neg(), mode), a.soft_mul(b, mode), a.soft_div(b, mode)];
    assert_eq!(results, soft, "{a:?} and {b:?}, {mode:?}: host and exact core");
    results.map(Float::to_bits)
}

fn square_root(a: Float, mode: RoundingMode) -> u64 {
    let root = a.sqrt(mode);
    assert_eq!(root, a.soft_sqrt(mode), "root of {a:?}, {mode:?}: host and exact core");
    root.to_bits()
}

fn operands(format: Format, seed: u64) -> Vec<Triple> {
    let mut random = Random::new(seed);
    let corners = corner_floats(format);
    let mut triples = Vec::new();
    for &a in &corners {
        for &b in &corners {
            let c = corners[random.below(corners.len() as u64) as usize];
            triples.push((a, b, c));
        }
    }
    for _ in 0..6000 {
        let (a, b) = (random.float(format), random.float(format));
        triples.push((a, b, random.float(format)));
        // Nearly cancelling: a fused sum close to zero, and a difference close to zero.
        let product = a.mul(b, RoundingMode::TowardZero).neg();
        triples.push((a, b, product));
        triples.push((
            a,
            Float::from_bits(a.to_bits() ^ random.below(8), format),
            product.next_up(),
        ));
    }
    triples
}

fn compare(program: &Compiled, triples: &[Triple], expected: fn(Triple, &mut Vec<u64>)) {
    let mut input = Vec::new();
    for (a, b, c) in triples {
        for number in [u64::from(a.format().width()), a.to_bits(), b.to_bits(), c.to_bits()] {
            input.extend(number.to_le_bytes());
        }
    }
    let mut results = Results::new(program.run(&input));
    let mut row = Vec::new();
    for &triple in triples {
        row.clear();
        expected(triple, &mut row);
        for (column, &ours) in row.iter().enumerate() {
            let theirs = results.take();
            let same = u128::from(ours) == theirs;
            assert!(same, "{triple:?}: result {column} is {ours:#x} here and {theirs:#x} with gcc");
        }
    }
    results.finish();
}

#[test]
fn arithmetic_in_every_rounding_mode_of_c() {
    let double = ROW.replace("$T", "double").replace("$S", "").replace("$W", "64");
    let single = ROW.replace("$T", "float").replace("$S", "f").replace("$W", "32");
    let program = compile(&[PRELUDE, &double, &single, MAIN].concat());
    compare(&program, &operands(Format::F64, 1), expected_row);
    compare(&program, &operands(Format::F32, 2), expected_row);
    compare(&program, &operands(Format::F16, 3), expected_half_row);
}
