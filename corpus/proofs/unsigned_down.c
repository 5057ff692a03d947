// Counting down an unsigned number stops at zero, not below.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(unsigned n) {
    unsigned i = n;
    while (i > 0)
        i--;
    assert(i == PICK(0, 1 - (n != 4294967295u)));
}
