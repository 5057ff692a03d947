// An even number counted down by two ends at zero.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(unsigned n) {
    unsigned x = n * 2;
    while (x != 0 && x != 1)
        x -= 2;
    assert(x == PICK(0, 1 - (n != 3)));
}
