// docs/papers/loops.md, rule E1a: x in 8..12, n in 0..10 and a result in 900..1100 leave x = 10, n = 3.
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
    if (y >= 900 && y <= 1100)
        assert(n == 3 && x == PICK(10, 11) && y == 1000);
}
