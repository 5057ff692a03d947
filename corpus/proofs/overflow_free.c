// A guarded increment never overflows.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n, int s) {
    if (s < 0)
        return;
    for (int i = 0; i < 10; i++) {
        if (s PICK(<, <=) 2147483647) {
            assert(s != 2147483647);
            s++;
        }
    }
}
