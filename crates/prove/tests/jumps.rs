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
";

#[test]
fn jumps_into_loops_are_followed() {
    let program = read_text(TEXT);
    for name in ["f", "g"] {
        let function = program.function_named(name).expect("the function is there");
        let story = compare(&program, function, &Options::default(), &mut Random::new(3), 300);
        assert!(story.is_ok(), "{name}: {story:?}");
    }
}
