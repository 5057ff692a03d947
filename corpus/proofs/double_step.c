// Two variables in step: one is always twice the other.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int i = 0, s = 0;
    if (n > 1000)
        return;
    while (i < n) {
        i++;
        s += PICK(2, 2 + (i == 900));
    }
    assert(s == 2 * i);
}
