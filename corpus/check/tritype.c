/* The kind of a triangle: 1 scalene, 2 isosceles, 3 equilateral, 4 none. Two properties over all inputs. */
#include <assert.h>

static int tritype(unsigned short i, unsigned short j, unsigned short k)
{
    int t;
    if (i == 0 || j == 0 || k == 0)
        return 4;
    t = 0;
    if (i == j)
        t = t + 1;
    if (i == k)
        t = t + 2;
    if (j == k)
        t = t + 3;
    if (t == 0) {
        if (i + j <= k || j + k <= i || i + k <= j)
            return 4;
        return 1;
    }
    if (t > 3)
        return 3;
    if (t == 1 && i + j > k)
        return 2;
    if (t == 2 && i + k > j)
        return 2;
    if (t == 3 && j + k > i)
        return 2;
    return 4;
}

void no_triangle(unsigned short i, unsigned short j, unsigned short k)
{
    if (i + j <= k || j + k <= i || i + k <= j)
        assert(tritype(i, j, k) == 4);
}

void equilateral(unsigned short i, unsigned short j, unsigned short k)
{
    if (!(i + j <= k || j + k <= i || i + k <= j) && i == j && j == k)
        assert(tritype(i, j, k) == 3);
}
