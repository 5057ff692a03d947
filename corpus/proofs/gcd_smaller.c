// The result is not larger than either number.
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
    int a = x, b = y;
    while (a != b) {
        if (a > b)
            a = a - b;
        else
            b = b - a;
    }
    assert(a <= x && b <= y PICK(,  && a < x));
    return a;
}
