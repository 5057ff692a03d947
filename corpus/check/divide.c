/* Splits a right isosceles field in two. As printed in the literature `r = i - 1` is one too large: two of
 * three properties fail for every n. `which` selects the property, since a failure hides what follows. */
#include <assert.h>

extern void __VERIFIER_assume(int);

#define DIVIDE(correction)                                                                       \
    int r, i = 0, j = 0, A1, S1 = 0, A2, S2 = 0;                                                  \
    __VERIFIER_assume(n >= 1);                                                                    \
    while (i++ < n && 2 * S1 < n * n) {                                                           \
        A1 = S1;                                                                                  \
        S1 = A1 + 2 * n - 2 * i + 1;                                                              \
    }                                                                                             \
    r = i - correction;                                                                           \
    while (j++ < n && 2 * S2 < n * n) {                                                           \
        A2 = S2;                                                                                  \
        S2 = A2 + 2 * j - 1;                                                                      \
    }

int divide_printed(long n, int which)
{
    DIVIDE(1)
    if (which == 1)
        assert(2 * A1 <= n * n && 2 * A2 <= n * n);
    else if (which == 2)
        assert(n * n - A1 - A2 <= 2 * n - 2 * r - 1);
    else
        assert(2 * (n - (r + 1)) * (n - (r + 1)) <= n * n && n * n <= 2 * (n - r) * (n - r));
    return r;
}

int divide_fixed(long n, int which)
{
    DIVIDE(2)
    if (which == 1)
        assert(2 * A1 <= n * n && 2 * A2 <= n * n);
    else if (which == 2)
        assert(n * n - A1 - A2 <= 2 * n - 2 * r - 1);
    else
        assert(2 * (n - (r + 1)) * (n - (r + 1)) <= n * n && n * n <= 2 * (n - r) * (n - r));
    return r;
}
