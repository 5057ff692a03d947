// A search ends inside the array or at its end.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(int x) {
    static const int t[5] = {2, 3, 5, 7, 11};
    int i = 0;
    while (i < 5 && t[i] != x)
        i++;
    assert(i <= PICK(5, 4));
    return i;
}
