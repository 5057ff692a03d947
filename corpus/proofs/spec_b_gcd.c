// docs/papers/loops.md, rule E3a: subtractive Euclid on 1..10 and 10..20 ends in 1..10.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int x, int y) {
    if (x < 1 || x > 10 || y < 10 || y > 20)
        return;
    int a = x, b = y;
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
    assert(b >= 1 && b <= PICK(10, 9));
}
