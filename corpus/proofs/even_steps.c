// Steps of two keep a number even.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int i = 0;
    while (i < n && i < 1000000) {
        i += PICK(2, 2 + (i == 500));
        assert(i % 2 == 0);
    }
}
