// Two variables that swap their values each turn.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int a = 1, b = 2;
    for (int i = 0; i < n; i++) {
        int t = a;
        a = b;
        b = PICK(t, t + (i == 3));
    }
    assert(a + b == 3);
}
