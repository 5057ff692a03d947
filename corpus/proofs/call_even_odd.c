// Two functions that call each other.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? PICK(1, 2) : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
int f(unsigned n) {
    if (n > 100) return 0;
    int e = is_even(n);
    assert(e == 0 || e == 1);
    return e;
}
