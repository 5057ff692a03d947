// A counter that never passes its limit because it is compared for equality before every step.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int limit, unsigned steps) {
    int level = 0;
    if (limit < 1)
        return;
    for (unsigned k = 0; k < steps; k++) {
        if (k % 3 == 0) {
            if (level != PICK(limit, limit + 1))
                level++;
        } else if (level == limit) {
            level = 1;
        }
    }
    assert(level <= limit);
}
