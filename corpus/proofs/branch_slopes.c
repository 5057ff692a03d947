// Two branches move y by different amounts: how far it is from x is known after they meet.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(int x, int up) {
    int y;
    if (x < -1000 || x > 1000)
        return 0;
    if (up)
        y = x + 5;
    else
        y = x - 100;
    int z = 0;
    while (z < y - x)
        z++;
    assert(z <= PICK(5, 4) && x - y <= 100);
    return z;
}
