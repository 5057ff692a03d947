// The usual guard against wrap-around of an unsigned sum.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(unsigned a, unsigned b) {
    if (a + b < a)
        return;
    assert(a + b >= PICK(b, b + 1));
}
