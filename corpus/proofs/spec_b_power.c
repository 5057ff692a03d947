// docs/papers/loops.md, rule E1b: a result in 10..14 leaves n = 1 and x in 10..12.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int x, int n) {
    if (x < 8 || x > 12 || n < 0 || n > 10)
        return;
    int y = 1, k = n;
    while (k >= 1) {
        if (y > 100000)
            return;
        y = y * x;
        k = k - 1;
    }
    if (y >= 10 && y <= 14)
        assert(n == 1 && x >= PICK(10, 11) && x <= 12 && y <= 12);
}
