// A global that a helper counts up.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int total;
static void add(int x) { total += x; }
void f(int n) {
    total = 0;
    for (int i = 0; i < n && i < 100; i++)
        add(PICK(1, 1 + (i == 9)));
    assert(total <= 100);
}
