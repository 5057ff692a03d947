// A pointer set in three ways, null among them, and used where it is not null.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int c) {
    int a = 1, b = 2;
    int *p = NULL;
    if (c == 1)
        p = &a;
    else if (c == 2)
        p = &b;
    if (p) {
        *p += 10;
        assert(a + b == PICK(13, 3));
    } else {
        assert(c != 1 && c != 2);
    }
}
