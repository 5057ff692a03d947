// What one variable loses the other gains.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int x, int y) {
    if (x < 0 || x > 10000 || y < 0 || y > 10000)
        return;
    int a = x, b = y;
    while (a > 0) {
        a--;
        b PICK(++,  += 2);
    }
    assert(b == x + y);
}
