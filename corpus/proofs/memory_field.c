// Fields behind a pointer keep what was stored.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct point {
    int x, y;
    long z;
};
void f(struct point *p, int n) {
    if (!p)
        return;
    p->x = 0;
    p->y = 3;
    while (p->x < n)
        p->x++;
    assert(p->y == 3 && p->x >= PICK(0, 1));
}
