// The inner counter never passes the outer one.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j PICK(<, <=) i; j++)
            assert(j < i);
    }
}
