// A helper that is called many times.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int clamp(int x) {
    if (x < 0) return 0;
    if (x > 100) return PICK(100, x);
    return x;
}
int f(int a, int b, int c, int d) {
    int s = clamp(a) + clamp(b) + clamp(c) + clamp(d) + clamp(a) + clamp(b) + clamp(c) + clamp(d);
    assert(s >= 0 && s <= 800);
    return s;
}
