// A recursive count over memory behind a pointer.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int positives(const int *p, int n) {
    if (n <= 0) return 0;
    return (p[0] > 0) + positives(p + 1, n - 1);
}
int f(int a, int b, int c) {
    int t[3] = {a, b, c};
    int r = positives(t, 3);
    assert(r >= 0 && r <= PICK(3, 2));
    return r;
}
