// Two indices that meet in the middle do not cross by more than one.
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
    int i = 0, j = n;
    while (i < j) {
        i++;
        j PICK(--,  -= 2);
    }
    assert(i - j <= 1);
}
