// Leaving a loop early keeps what its condition said.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int choose(void);
void f(int n) {
    int i;
    for (i = 0; i < 10; i++) {
        if (choose())
            break;
    }
    assert(i <= PICK(10, 9));
}
