// The loop may not run at all: then the count is zero, otherwise it is n.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int i = 1, count = 0;
    while (i <= n) {
        i++;
        count++;
    }
    if (count != n)
        assert(count == PICK(0, 1));
}
