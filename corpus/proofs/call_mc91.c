// McCarthy's function: a recursive call of what a recursive call returns.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int mc91(int n) {
    if (n > 100) return n - PICK(10, 11);
    return mc91(mc91(n + 11));
}
int f(int n) {
    if (n > 1000) return 0;
    int r = mc91(n);
    assert(r >= 91 && r >= n - 10);
    return r;
}
