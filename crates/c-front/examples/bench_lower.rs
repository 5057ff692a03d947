//! How long checking and lowering take: `bench_lower [FILE.i]`, by default 1 MB of generated C.
//!
//! Times are wall-clock on the machine at hand; run it in the release profile.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command line tool")]

use std::fmt::Write as _;
use std::time::Instant;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;

/// A piece of every construct family; `@` becomes a number that makes names unique.
const PIECE: &str = r#"
struct record@ { int key; unsigned flags : 5; short kind; double weight; char name[16]; struct record@ *next; };
static struct record@ table@[8] = { { 1, 2, 3, 0.5, "one", 0 }, { .key = 7, .name = "seven" } };
static int total@, history@[32];
static int classify@(const struct record@ *r, int limit, unsigned mask) {
  if (r == 0 || (r->key < 0 && limit > 0) || !(mask & 0x80u)) return -1;
  switch (r->kind) {
  case 0: return r->key + limit;
  case 1 ... 4: return r->key - (int)r->flags;
  case 9: break;
  default: total@ += r->key; return limit > 3 ? r->name[3] : r->name[limit & 15];
  }
  return r->weight > 1.5 && mask != 0;
}
static long walk@(struct record@ *first, int n, int *out) {
  long sum = 0;
  for (struct record@ *r = first; r != 0 && n-- > 0; r = r->next) {
    int value = classify@(r, n, (unsigned)sum);
    if (value < 0) continue;
    sum += (long)value * value;
    out[n & 7] = value ^ (int)(sum >> 3);
    history@[(unsigned)value % 32]++;
    do { sum ^= sum << 1 & 0xff; value /= 2; } while (value > 10);
  }
  return sum;
}
int entry@(int argc, unsigned seed) {
  int scratch[8] = { 0 };
  struct record@ copy = table@[seed & 7];
  copy.next = &table@[argc & 7];
  copy.flags = seed;
  long result = walk@(&copy, argc, scratch);
  for (int i = 0; i < 8; i++) result = result * 31 + scratch[i] + history@[i];
  while (result > 1000000) result -= result / 3 + 1;
  return (int)result + total@;
}
"#;

fn main() {
    let text = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path).expect("the file should be readable"),
        None => generated(1 << 20),
    };
    let megabytes = text.len() as f64 / 1e6;
    let start = Instant::now();
    let mut front = Front::new();
    front.add_unit("bench.i", text, &mut |_| None);
    let checked = start.elapsed();
    let compiled = compile(front, Promotion::Promote);
    let lowered = start.elapsed() - checked;
    let errors = compiled.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let n_instrs: usize =
        compiled.program.iter().flat_map(|program| &program.functions).fold(0, |n, function| {
            n + function
                .body
                .as_ref()
                .map_or(0, |body| body.blocks.iter().map(|b| b.instrs.len()).sum())
        });
    println!("{megabytes:.2} MB, {errors} errors, {n_instrs} instructions");
    println!("read and checked in {checked:.1?}, lowered and promoted in {lowered:.1?}");
}

fn generated(size: usize) -> Vec<u8> {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < size {
        let _ = write!(text, "{}", PIECE.replace('@', &number.to_string()));
        number += 1;
    }
    text.into_bytes()
}
