// A recursive function that writes through one pointer only.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static void down(int *p, int n) {
    *p = n;
    if (n > 0) down(p, n - 1);
}
int f(int n) {
    int x = 3, y = 4;
    if (n > 50) return 0;
    down(PICK(&x, n == 7 ? &y : &x), n);
    assert(y == 4);
    return x;
}
