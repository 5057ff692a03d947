/* What stack.rules specifies, in C. */
#include <errno.h>

struct stack {
    int items[3];
    int count;
};

enum answer { Yes, No };

struct fraction {
    int top;
    int bottom;
};

enum answer is_empty(int count)
{
    return count <= 0 ? Yes : No;
}

int clamp(int low, int high, int x)
{
    errno = 0;
    if (low > high) {
        errno = EDOM;
        return 0;
    }
    return x < low ? low : x > high ? high : x;
}

struct fraction half(struct fraction f)
{
    errno = 0;
    if (f.top % 2 == 0)
        f.top /= 2;
    else if (f.bottom != 0)
        f.bottom = (int)((unsigned)f.bottom * 2u);
    else
        errno = ERANGE;
    return f;
}

int sum(const int *xs, int n)
{
    unsigned total = 0;
    for (int i = 0; i < n; i++)
        total += (unsigned)xs[i];
    return (int)total;
}
