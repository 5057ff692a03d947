// A table of pointers to variables, read and written through a constant place.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int v, int i) {
    int a = 1, b = 2, c = 3;
    int *t[3] = {&a, &b, &c};
    int *p = i > 0 ? t[0] : t[2];
    *t[1] = v;
    *p = 9;
    assert(b == v && a + c == PICK(i > 0 ? 12 : 10, 12));
}
