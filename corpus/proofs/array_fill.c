// Every element that a loop has set is what it was set to.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int a[16];
int f(int n, int k, int c) {
    if (n < 0 || n > 16)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = c;
    if (k >= 0 && k < PICK(n, 16))
        assert(a[k] == c);
    return 1;
}
