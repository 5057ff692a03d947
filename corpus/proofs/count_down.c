// Counting down from any positive number ends at zero.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    if (n < 0)
        return;
    while (n > 0)
        n--;
    assert(n == PICK(0, 1));
}
