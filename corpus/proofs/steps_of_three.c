// The counter stops at a multiple of three.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(void) {
    int i = 0;
    while (i < 100)
        i += 3;
    assert(i == PICK(102, 101));
}
