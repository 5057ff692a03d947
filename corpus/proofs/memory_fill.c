// An array behind a pointer is filled up to its length.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int *a, int n, int k) {
    if (!a || n < 0 || n > 6)
        return;
    for (int i = 0; i < n; i++)
        a[i] = 4;
    if (k >= 0 && k PICK(<, <=) n && k < 6)
        assert(a[k] == 4);
}
