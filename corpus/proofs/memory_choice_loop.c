// A pointer that goes back and forth between two counters counts the turns.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int a = 0, b = 0, i = 0;
    int *p = &a;
    while (i < n && i < 1000) {
        if (*p < 1000)
            *p += 1;
        p = p == &a ? &b : &a;
        i++;
    }
    assert(a >= 0 && b >= PICK(0, 1));
}
