// The counter grows before it is added: the sum is never below the counter.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int i = 0, sum = 0;
    while (i < n) {
        i = i + 1;
        sum = sum + i;
    }
    assert(sum >= PICK(i, i + 1));
}
