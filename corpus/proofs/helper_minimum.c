// A helper's result is within what it was given.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int least(int a, int b) { return a < b ? a : b; }
void f(int n) {
    int best = 1000;
    for (int i = 0; i < n; i++) {
        best = least(best, i);
        assert(best <= PICK(1000, 999 + (i > 0)) && best PICK(>=, >) 0);
    }
}
