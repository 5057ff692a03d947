/* The assertion of `foo` fails for x = 50 only; that of `foo_wide` only where the product wraps around. */
#include <assert.h>

int foo(int x, int y)
{
    int z, u;
    if (x * y < 4)
        u = 5;
    else
        u = 100;
    if (u <= 8)
        y = x + u;
    else
        y = x - u;
    z = x * y;
    assert(z > -2500);
    return z;
}

int foo_wide(int x, int y)
{
    int z, u;
    if (x * y < 4)
        u = 5;
    else
        u = 100;
    if (u <= 8)
        y = x + u;
    else
        y = x - u;
    z = x * y;
    assert(z > -3000);
    return z;
}
