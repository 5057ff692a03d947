// A masked index is always inside.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(unsigned n) {
    static int ring[8];
    unsigned head = 0;
    for (unsigned i = 0; i < n; i++) {
        head = (head + 1) & PICK(7, 15);
        assert(head < 8);
        ring[head & 7] = 1;
    }
    return ring[0];
}
