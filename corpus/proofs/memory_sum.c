// A field that only grows.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct counter {
    unsigned char step;
    long total;
};
void f(struct counter *c, int n) {
    if (!c)
        return;
    c->total = 0;
    for (int i = 0; i < n && i < 1000; i++)
        c->total += PICK(c->step, c->step - (i == 7));
    assert(c->total >= 0);
}
