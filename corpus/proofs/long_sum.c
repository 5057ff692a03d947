// A sum in a wider type does not overflow.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int choose(void);
void f(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += PICK(1, 2);
    assert(sum <= 2147483647L);
}
