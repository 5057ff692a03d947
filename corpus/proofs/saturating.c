// A counter that saturates.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int choose(void);
void f(int n) {
    int level = 5;
    for (int i = 0; i < n; i++) {
        if (choose()) {
            if (level < 10)
                level++;
        } else if (level > 0) {
            level PICK(--,  -= 2);
        }
        assert(level >= 0 && level <= 10);
    }
}
