// docs/papers/loops.md, rule E2b: a sum in 50..60 is 55, of the numbers up to 10.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int i) {
    if (i < 1 || i > 15)
        return;
    int s = 0, k = i;
    while (k > 0) {
        s = s + k;
        k = k - 1;
    }
    if (s >= 50 && s <= 60)
        assert(s == 55 && i == PICK(10, 11));
}
