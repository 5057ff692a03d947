/* Assertions that no run comes to, one that always does, one behind an impossible assumption. */
#include <assert.h>

extern void __VERIFIER_assume(int);

int never(int x)
{
    if (x > 10 && x < 5)
        assert(x == 7);
    return x;
}

int always(int x)
{
    assert(x == x);
    return x;
}

int excluded(int x)
{
    __VERIFIER_assume(x > 3);
    __VERIFIER_assume(x < 3);
    assert(x == 7);
    return x;
}
