// Halving a number never makes it larger.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    if (n < 0)
        return;
    int x = n;
    while (x > 0) {
        x = x / 2;
        assert(x <= PICK(n, n / 2 - 1) && x >= 0);
    }
}
