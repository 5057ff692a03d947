// A flag that nothing sets.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int choose(void);
void f(int n) {
    int error = 0;
    for (int i = 0; i < n; i++) {
        if (i < 0)
            error = 1;
        PICK(, if (i == 20) error = 1;)
    }
    assert(!error);
}
