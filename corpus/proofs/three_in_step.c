// A relation of three counters, one of two steps in each turn.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int choose(void);
void f(int n) {
    int i = 0, a = 0, b = 0;
    while (i < n) {
        if (choose())
            a++;
        else
            b PICK(++,  += 1 + (i == 5));
        i++;
    }
    assert(a + b == i);
}
