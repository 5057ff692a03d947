/* The product of two absolute differences is not negative. */
#include <assert.h>

int product(int a, int b, int c, int d)
{
    int x, y, z;
    if (a > b)
        x = a - b;
    else
        x = b - a;
    if (c > d)
        y = c - d;
    else
        y = d - c;
    z = x * y;
    assert(z >= 0);
    return z;
}
