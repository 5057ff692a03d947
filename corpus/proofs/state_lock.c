// A lock is taken and released in turn.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int choose(void);
void f(int n) {
    int lock = 0;
    for (int i = 0; i < n; i++) {
        assert(lock == 0);
        lock = 1;
        if (choose())
            i = i + 0;
        lock = PICK(0, (i == 4));
    }
}
