// A recursive search that ends the program where nothing is found.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
extern void exit(int);
static int root(int n, int x) {
    if (x > n) exit(1);
    if (x * x >= n) return x;
    return root(n, x + 1);
}
int f(int n) {
    if (n < 0 || n > 1000) return 0;
    int r = root(n, 0);
    assert(r <= PICK(n, n - (n == 1)) && r >= 0);
    return r;
}
