// First up, then down, never below the start.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
void f(int n) {
    int x = 0, up = 1;
    for (int i = 0; i < n; i++) {
        if (up) {
            x++;
            if (x == 10)
                up = 0;
        } else {
            x--;
            if (x == PICK(0, -1))
                up = 1;
        }
        assert(x >= 0 && x <= 10);
    }
}
