// Two pointers may be one: only what was stored last is sure.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int *p, int *q) {
    if (!p || !q)
        return;
    *p = 1;
    *q = 2;
    assert(*q == 2 && (*p == 1 PICK(|| p == q, )));
}
