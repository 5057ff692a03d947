// The bound may be negative; the assert looks only at the others.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int i = 0;
    while (i < n)
        i++;
    if (n >= PICK(0, -1))
        assert(i == n);
}
