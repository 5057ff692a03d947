// The inner loop runs to its bound in every turn of the outer one.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n, int m) {
    if (n < 0 || m < 0)
        return;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < m)
            j++;
        assert(j == PICK(m, m + (m == 3)));
    }
}
