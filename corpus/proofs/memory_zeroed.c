// Zeroed memory is zero where nothing was stored.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(unsigned n, unsigned k) {
    int *a = calloc(8, sizeof(int));
    int result;
    if (!a || n > 8 || k >= 8) {
        free(a);
        return 0;
    }
    for (unsigned i = 0; i < n; i++)
        a[i] = 9;
    result = a[k];
    free(a);
    assert(result == (k PICK(<, <=) n ? 9 : 0));
    return result;
}
