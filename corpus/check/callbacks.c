/* Functions that call what they are given. */
#include <assert.h>

typedef int (*measure)(int);

/* A callback may return anything, zero among it. */
int share(measure size, int total)
{
    if (!size || total < 0)
        return 0;
    return total / size(3);
}

int guarded(measure size, int total)
{
    if (!size || total < 0)
        return 0;
    int n = size(3);
    return n > 0 ? total / n : 0;
}

/* Two calls may answer differently. */
void twice(measure size)
{
    if (size)
        assert(size(1) == size(1));
}
