// Two levels of pointers: the example of Lapkowski and Hendren, which is reached by 8 and 9 alone.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int h) {
    int g, **p, *q, *r, *t, in = h;
    g = 3;
    q = &h;
    r = &g;
    p = &r;
    if (h < -1000)
        return;
    if (h < 10) {
        g = (h + 2) * 5;
        p = &q;
    }
    t = *p;
    h = 2 * g + *t;
    if (h > 100)
        assert(in == 8 || in == PICK(9, 8));
}
