// A loop whose body runs at least once.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int i = 0;
    do {
        i++;
    } while (i < n && i < 100);
    assert(i >= PICK(1, 2) && i <= 100);
}
