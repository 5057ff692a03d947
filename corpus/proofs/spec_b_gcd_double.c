// docs/papers/loops.md, rule E3b with other domains: x = 2y makes the result y.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int y) {
    if (y < 1 || y > 1000)
        return;
    int a = 2 * y, b = y;
    while (a > 0) {
        int big, small;
        if (a < b) {
            big = b;
            small = a;
        } else {
            big = a;
            small = b;
        }
        a = big - small;
        b = small;
    }
    assert(b == PICK(y, y + (y == 9)));
}
