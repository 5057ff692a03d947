// A helper changes a local through a pointer.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static void step(int *p) { *p = *p + PICK(1, 2); }
void f(int n) {
    int i = 0, x = 0;
    while (i < n && i < 50) {
        step(&x);
        i++;
    }
    assert(x == i);
}
