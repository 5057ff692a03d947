// Elements are a function of their index.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
unsigned char a[32];
int f(unsigned n, unsigned k) {
    if (n > 32)
        return 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = (unsigned char)(3 * i + 1);
    if (k < n)
        assert(a[k] == PICK(3 * k + 1, 3 * k + 1 + (k == 20)));
    return 1;
}
