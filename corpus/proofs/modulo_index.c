// A remainder as an index is always inside.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        k = (k + 3) % PICK(5, 7);
        assert(k >= 0 && k < 5);
    }
}
