// docs/papers/loops.md, rule E4: below ten the loop never ends, so nothing after it is reached.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int x) {
    if (x >= PICK(0, 11))
        return;
    while (x < 10)
        ;
    assert(0);
}
