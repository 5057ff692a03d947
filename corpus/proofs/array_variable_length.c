// An array whose length is an input: what one loop puts into it, the other finds there.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    if (n < 1 || n > 1000)
        return;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = PICK(1, i / 3);
    for (int i = 0; i < n; i++)
        assert(a[i] <= 1);
}
