//! Jumps into loops: nothing that happens is called impossible.

mod random;

use glassbox_prove::Options;
use glassbox_testkit::Random;
use random::{compare, read_text};

const TEXT: &str = "
int f(int a, int b) {
  int i = 0;
  if (a > 3) goto middle;
  if (0) {
again:
    i = i + 2;
    if (i > 9) return 7;
middle:
    i = i + 1;
    if (b > i && i < 40) goto again;
    return i;
  }
  while (i < 5) {
    i++;
    if (i == 3 && b == 2) goto middle;
  }
  return i == 5 ? 1 : 0;
}
int g(int a) {
  int n = 0;
  switch (a & 3) {
  case 0: do { n++;
  case 1: n++;
  case 2: n++;
  } while (n < 8);
  }
  return n;
}
/* The second entry is never taken, and no range says so. */
int two_entries(unsigned x) {
  unsigned i = 0;
  if (3 / (x | 1) >= 7) goto m;
l:
  i += 1;
m:
  if (i < (x & 15)) goto l;
  if ((i ^ 5) == 14) return 1;
  return 0;
}
int into_the_body(unsigned x, unsigned n) {
  unsigned i = 0, c = 0;
  n &= 15;
  switch (x & 1 ? 5 / (x | 4) : 0) {
  case 3: while (i < n) { i++;
  case 0: case 1: c++; }
  }
  if ((c ^ 5) == 14) return 1;
  return 0;
}
int in_a_loop(unsigned x, unsigned n) {
  unsigned s = 0;
  for (unsigned j = 0; j < (n & 3); j++) {
    unsigned i = j;
    if (s > 3 + (x & 1)) goto inside;
    while (i < (x & 7)) {
      s += i;
inside:
      i += 2;
      if (s == 6 && i == 5) return 1;
    }
  }
  if ((s ^ 9) == 2) return 2;
  return 0;
}
";

#[test]
fn jumps_into_loops_are_followed() {
    let program = read_text(TEXT);
    for name in ["f", "g", "two_entries", "into_the_body", "in_a_loop"] {
        let function = program.function_named(name).expect("the function is there");
        let result = compare(&program, function, &Options::default(), &mut Random::new(3), 600);
        assert!(result.is_ok(), "{name}: {result:?}");
    }
}
