//! Integer operations against gcc: all pairs of 8 bits, corners and random pairs of 16 to 128.

use glassbox_testkit::Random;
use glassbox_values::bits::{Bits, Signedness};

use crate::gcc::{Results, compile};
use crate::operands::{Operands, corner_integers};

const WIDTHS: [u8; 5] = [8, 16, 32, 64, 128];

/// The C side: reads width, a, b; writes the results in the order of `expected_row`.
fn driver() -> String {
    let mut source = String::from(
        r"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef unsigned __int128 u128; typedef __int128 s128;
typedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32; typedef uint64_t u64;
typedef int8_t s8; typedef int16_t s16; typedef int32_t s32; typedef int64_t s64;
static void o(u128 x) { fwrite(&x, 16, 1, stdout); }
static int popcount(u128 x) { return __builtin_popcountll((u64)x) + __builtin_popcountll((u64)(x >> 64)); }
static int clz(u128 x) { return x >> 64 ? __builtin_clzll((u64)(x >> 64)) : 64 + __builtin_clzll((u64)x); }
static int ctz(u128 x) { return (u64)x ? __builtin_ctzll((u64)x) : 64 + __builtin_ctzll((u64)(x >> 64)); }
static u128 bswap(u128 x, int n) {
  if (n == 8) return x;
  if (n == 16) return __builtin_bswap16((u16)x);
  if (n == 32) return __builtin_bswap32((u32)x);
  if (n == 64) return __builtin_bswap64((u64)x);
  return __builtin_bswap128(x);
}
",
    );
    for width in WIDTHS {
        source += &ROW.replace("$W", &width.to_string());
    }
    source += "int main(void) { struct { u128 w, a, b; } r;
  while (fread(&r, sizeof r, 1, stdin) == 1) switch ((int)r.w) {\n";
    for width in WIDTHS {
        source += &format!("case {width}: row_{width}((u{width})r.a, (u{width})r.b); break;\n");
    }
    source + "} return 0; }"
}

const ROW: &str = r"
static void row_$W(u$W a, u$W b) {
  const s$W min = (s$W)((u$W)1 << ($W - 1));
  s$W sa = (s$W)a, sb = (s$W)b; u$W u; s$W s;
  o((u$W)(a + b)); o((u$W)(a - b)); o((u$W)((u128)a * b)); o((u$W)-a);
  o(b ? (u$W)(a / b) : 0); o(b ? (u$W)(a % b) : 0);
  int defined = sb != 0 && !(sa == min && sb == -1);
  o(defined); o(defined ? (u$W)(sa / sb) : 0); o(defined ? (u$W)(sa % sb) : 0);
  o((u$W)(a & b)); o((u$W)(a | b)); o((u$W)(a ^ b)); o((u$W)~a);
  int n = (int)(b % $W);
  o((u$W)(a << n)); o((u$W)(a >> n)); o((u$W)(sa >> n));
  o(a < b); o(a <= b); o(sa < sb); o(sa <= sb); o(a == b);
  o(__builtin_add_overflow(a, b, &u)); o(__builtin_add_overflow(sa, sb, &s));
  o(__builtin_sub_overflow(a, b, &u)); o(__builtin_sub_overflow(sa, sb, &s));
  o(__builtin_mul_overflow(a, b, &u)); o(__builtin_mul_overflow(sa, sb, &s));
  o(__builtin_sub_overflow((s$W)0, sa, &s));
  o(a ? clz(a) - (128 - $W) : $W); o(a ? ctz(a) : $W); o(popcount(a)); o(popcount(a) & 1);
  o((sa < 0 ? (u$W)~a : a) ? clz(sa < 0 ? (u$W)~a : a) - (128 - $W) - 1 : $W - 1);
  o(bswap(a, $W));
  o((u8)a); o((u16)a); o((u32)a); o((u64)a); o((u128)a);
  o((u8)sa); o((u16)sa); o((u32)sa); o((u64)sa); o((u128)sa);
}
";

/// What the crate says, in the order of `ROW`.
fn expected_row(a: Bits, b: Bits, row: &mut Vec<u128>) {
    use Signedness::{Signed, Unsigned};
    let width = a.width();
    let amount = Bits::new(b.unsigned() % u128::from(width), width);
    let or_zero = |bits: Option<Bits>| bits.map_or(0, Bits::unsigned);
    row.extend([a.add(b), a.sub(b), a.mul(b), a.neg()].map(Bits::unsigned));
    row.extend([or_zero(a.checked_udiv(b)), or_zero(a.checked_urem(b))]);
    row.push(u128::from(a.checked_sdiv(b).is_some()));
    row.extend([or_zero(a.checked_sdiv(b)), or_zero(a.checked_srem(b))]);
    row.extend([a.and(b), a.or(b), a.xor(b), a.not()].map(Bits::unsigned));
    row.extend([a.shl(amount), a.lshr(amount), a.ashr(amount)].map(Bits::unsigned));
    row.extend([a.ult(b), a.ule(b), a.slt(b), a.sle(b), a == b].map(u128::from));
    row.extend([a.add_overflows(b, Unsigned), a.add_overflows(b, Signed)].map(u128::from));
    row.extend([a.sub_overflows(b, Unsigned), a.sub_overflows(b, Signed)].map(u128::from));
    row.extend([a.mul_overflows(b, Unsigned), a.mul_overflows(b, Signed)].map(u128::from));
    row.push(u128::from(a.neg_overflows()));
    row.extend([a.leading_zeros(), a.trailing_zeros(), a.count_ones()].map(u128::from));
    row.extend([u128::from(a.parity()), u128::from(a.redundant_sign_bits())]);
    row.push(a.swap_bytes().unsigned());
    for signedness in [Unsigned, Signed] {
        row.extend(WIDTHS.map(|to| a.resize(to, signedness).unsigned()));
    }
}

fn compare(pairs: &[(Bits, Bits)]) {
    let program = compile(&driver());
    let mut input = Vec::new();
    for (a, b) in pairs {
        for number in [u128::from(a.width()), a.unsigned(), b.unsigned()] {
            input.extend(number.to_le_bytes());
        }
    }
    let mut results = Results::new(program.run(&input));
    let mut row = Vec::new();
    for &(a, b) in pairs {
        row.clear();
        expected_row(a, b, &mut row);
        for (column, &ours) in row.iter().enumerate() {
            let theirs = results.take();
            assert_eq!(ours, theirs, "{a:?} and {b:?}: ours and gcc's result number {column}");
        }
    }
    results.finish();
}

#[test]
fn all_pairs_of_8_bits() {
    let all = |value| Bits::new(value, 8);
    let pairs: Vec<_> = (0..256).flat_map(|a| (0..256).map(move |b| (all(a), all(b)))).collect();
    compare(&pairs);
}

#[test]
fn corner_and_random_pairs_of_16_to_128_bits() {
    let mut random = Random::new(1);
    let mut pairs = Vec::new();
    for width in [16, 32, 64, 128] {
        let corners = corner_integers(width);
        pairs.extend(corners.iter().flat_map(|&a| corners.iter().map(move |&b| (a, b))));
        for _ in 0..6000 {
            pairs.push((random.signed_bits(width), random.signed_bits(width)));
            // Small amounts and divisors would be rare otherwise.
            pairs.push((
                random.signed_bits(width),
                Bits::new(u128::from(random.below(256_u64)), width),
            ));
        }
    }
    compare(&pairs);
}
