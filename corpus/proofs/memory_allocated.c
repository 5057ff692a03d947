// Nobody else has a pointer to an allocated object.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct pair {
    int a, b;
};
int f(int *p, int n) {
    struct pair *q = malloc(sizeof *q);
    if (!q || !p)
        return 0;
    q->a = 1;
    q->b = 1;
    for (int i = 0; i < n; i++) {
        *p = i;
        q->a = q->b;
        q->b = PICK(1, 1 + (i == 5));
    }
    assert(q->a == 1 && q->b == 1);
    free(q);
    return 1;
}
