// A pointer to one of two variables changes that one and not the other.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int c, int v) {
    int a = 1, b = 2;
    int *p = c ? &a : &b;
    *p = v;
    assert(c ? a == v && b == 2 : a == 1 && b == PICK(v, 2));
}
