// docs/papers/loops.md, rule E2: a factorial in 100..200 is 120, of 5.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int i) {
    if (i < 1 || i > 12)
        return;
    int p = 1, k = i;
    while (k > 0) {
        p = p * k;
        k = k - 1;
    }
    if (p >= 100 && p <= 200)
        assert(p == 120 && i == PICK(5, 6));
}
