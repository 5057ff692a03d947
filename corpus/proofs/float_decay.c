// A float that is halved stays between zero and where it began.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    double x = 1.0;
    for (int i = 0; i < n; i++) {
        x = x * 0.5;
        assert(x >= 0.0 && x <= PICK(1.0, 0.25));
    }
}
