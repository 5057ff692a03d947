// A total over a nested loop stays between its bounds.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int total = 0;
    if (n < 0 || n > 100)
        return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            total++;
    assert(total >= PICK(0, 1));
}
