// docs/papers/loops.md, rule E5: from 0..3, counting up to two ends in 2..3.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int x) {
    if (x < 0 || x > 3)
        return;
    while (x < 2)
        x = x + 1;
    assert(x >= 2 && x <= PICK(3, 2));
}
