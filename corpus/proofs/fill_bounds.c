// Every index of a fill is inside.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(void) {
    int a[10];
    for (int i = 0; i PICK(<, <=) 10; i++) {
        assert(i >= 0 && i < 10);
        if (i < 10) a[i] = 0;
    }
}
