// Subtractive Euclid on positive numbers stays positive.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(int x, int y) {
    if (x <= 0 || y <= 0)
        return 0;
    while (x != y) {
        if (x > y)
            x = x - y;
        else
            y = y - x;
        assert(x > PICK(0, 1) && y > 0);
    }
    return x;
}
