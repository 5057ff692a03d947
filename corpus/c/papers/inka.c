/* InKa and EUCLIDE: the programs of ISSTA 1998, CL 2000 and ICST 2009. */

/* Goal 10 has 13 solutions with unsigned arithmetic. */
int foo(unsigned x, unsigned y)
{
    unsigned z = x * y, t = 2 * x, u;
    if (x < 4)
        u = 10;
    else
        u = 2;
    if (z <= 8)
        if (u <= x) {
            t = t - y;
            if (t <= 20)
                return 10;
        }
    return 0;
}

/* The loop runs until j * u passes 16. */
int while_fragment(int x)
{
    int u, j;
    if (x < 4)
        u = 10;
    else
        u = 2;
    j = 1;
    while (j * u <= 16)
        j = j + 1;
    if (j > 5)
        return 1;
    return 0;
}

/* The factorial goal: only i = 2 makes j = 2. */
int factorial_goal(int i)
{
    int j = 1;
    while (i != 0) {
        j = j * i;
        i = i - 1;
    }
    if (j == 2)
        i = 2;
    return j;
}

/* Only (2, 3) gets to 4. */
int unique(unsigned char x, unsigned char y)
{
    int z = x * y, t = 2 * x;
    if (z <= 8) {
        t = t - y;
        if (t == 1 && x > 1)
            return 4;
    }
    return 0;
}

int bsearch10(const int a[10], int key)
{
    int lo = 0, hi = 9, found = 0, mid = 0;
    while (lo <= hi && !found) {
        mid = (lo + hi) / 2;
        if (a[mid] == key)
            found = 1;
        else if (a[mid] < key)
            lo = mid + 1;
        else
            hi = mid - 1;
    }
    return found ? mid : -1;
}

int sample3(const int a[3], const int b[3], int target)
{
    int i = 0, fa = 0, fb = 0;
    while (i < 3) {
        if (a[i] == target)
            fa = 1;
        i = i + 1;
    }
    if (fa == 1) {
        i = 0;
        fb = 1;
        while (i < 3) {
            if (b[i] != target)
                fb = 0;
            i = i + 1;
        }
    }
    return fb == 1;
}

int sample10(const int a[10], const int b[10], int target)
{
    int i = 0, fa = 0, fb = 0;
    while (i < 10) {
        if (a[i] == target)
            fa = 1;
        i = i + 1;
    }
    if (fa == 1) {
        i = 0;
        fb = 1;
        while (i < 10) {
            if (b[i] != target)
                fb = 0;
            i = i + 1;
        }
    }
    if (fb == 1)
        return 1;
    else
        return 0;
}

unsigned gcd(unsigned x, unsigned y)
{
    if (x == 0 || y == 0)
        return 0;
    while (x > 0) {
        if (x < y) {
            x = x + y;
            y = x - y;
            x = x - y;
        }
        x = x - y;
    }
    return y;
}

/* EUCLIDE's foo: -2500 is the smallest z. */
int euclide_foo(int x, int y)
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
    if (z <= -2500)
        return 1;
    if (z <= -3000)
        return 2;
    return 0;
}

/* TAUPO: twice the areas of a field split in two. */
int divide(long n)
{
    long r, i = 0, j = 0, s1 = 0, s2 = 0;
    if (n < 1 || n > 5)
        return -1;
    while (i++ < n && 2 * s1 < n * n)
        s1 = s1 + 2 * n - 2 * i + 1;
    r = i - 1;
    while (j++ < n && 2 * s2 < n * n)
        s2 = s2 + 2 * j - 1;
    return (int)r;
}

/* TAUPO: |a - b| * |c - d| is never negative. */
int product(short a, short b, short c, short d)
{
    int x = a > b ? a - b : b - a, y = c > d ? c - d : d - c;
    long z = (long)x * y;
    if (z < 0)
        return 0;
    if (z == 12)
        return 2;
    return 1;
}

/* JAUT: the loop's count is fixed by the target. */
int counted(int i)
{
    int j = 10, a = 1;
    while (i > a) {
        i--;
        j++;
    }
    if (j == 51)
        return 1;
    return 0;
}
