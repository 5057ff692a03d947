// A search that returns early has passed only other elements.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int a[20];
int f(int n, int wanted, int k) {
    int i = 0;
    if (n < 0 || n > 20)
        return 0;
    while (i < n && a[i] != wanted)
        i++;
    if (k >= 0 && k PICK(<, <=) i && k < n)
        assert(a[k] != wanted);
    return i;
}
