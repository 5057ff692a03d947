// docs/papers/loops.md, rule E7: 5y modulo 8 in {5, 6, 7, 0} with y in 2..7 leaves y in 3..6 and 6..7.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(unsigned y) {
    if (y < 2 || y > 7)
        return;
    unsigned z = (5 * y) & 7;
    if (z >= 5 || z == 0)
        assert(y >= 3 && y <= 6 && z >= PICK(6, 7) && z <= 7);
}
