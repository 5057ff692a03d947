// The maximum of a scan is at least where it began.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(int n) {
    static const int t[6] = {3, 1, 4, 1, 5, 9};
    int m = 0;
    for (int i = 0; i < 6; i++)
        if (t[i] > m)
            m = t[i];
    assert(m >= 0 && m <= PICK(9, 8));
    return m;
}
