// A global that a helper moves by one, called in a loop and from a recursive function.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int level;
static void step(int up) { level += up ? 1 : PICK(-1, -2); }
static void walk(int n) {
    if (n <= 0) return;
    step(1);
    walk(n - 1);
    step(0);
}
int f(int n) {
    if (n > 20) return 0;
    level = 0;
    walk(n);
    assert(level == 0);
    return level;
}
