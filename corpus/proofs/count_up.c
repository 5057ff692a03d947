// A counter ends where its bound is.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(void) {
    int i = 0;
    while (i < 100)
        i++;
    assert(i == PICK(100, 101));
}
