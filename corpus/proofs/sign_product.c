// A product of numbers that are not negative is not negative.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int x, int n) {
    if (x < 0 || x > 10 || n < 0 || n > 5)
        return;
    int y = 1;
    while (n >= 1) {
        y = y * PICK(x, (x - 5));
        n--;
        if (y > 1000)
            return;
    }
    assert(y >= 0);
}
