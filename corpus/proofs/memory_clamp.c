// A clamped field stays in its range, whatever it was.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct gauge {
    int level, limit;
};
void f(struct gauge *g, int n) {
    if (!g)
        return;
    if (g->level < 0 || g->level > 100)
        g->level = 0;
    for (int i = 0; i < n; i++) {
        if (g->level < PICK(100, 101))
            g->level++;
        else
            g->level = 0;
    }
    assert(g->level >= 0 && g->level <= 100);
}
