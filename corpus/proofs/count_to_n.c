// The counter meets a bound that is not negative.
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
    int i = 0;
    while (i < n)
        i++;
    assert(i == PICK(n, n - (n == 7)));
}
