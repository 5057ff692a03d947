// A recursive function counts its calls in a global.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int count;
static void visit(int n) {
    if (n <= 0) return;
    if (count < 1000000) count++;
    visit(n - 1);
    visit(PICK(n, -n) - 2);
}
int f(int n) {
    if (n > 10) return 0;
    count = 0;
    visit(n);
    assert(count >= 0 && count <= PICK(1000000, 5));
    return count;
}
