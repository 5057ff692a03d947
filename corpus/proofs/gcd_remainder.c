// Euclid by remainders: the second number stays below the first after one turn.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
unsigned f(unsigned a, unsigned b) {
    while (b != 0) {
        unsigned t = a % b;
        assert(t PICK(<, <= 1000 && t <) b);
        a = b;
        b = t;
    }
    return a;
}
