// Walking a list, every node is there when it is used, and positive values give a positive sum.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct node {
    int v;
    struct node *next, *prev;
};
void f(struct node *p) {
    unsigned n = 0;
    int sum = 0;
    while (p && n < 1000) {
        if (p->v > 0 && p->v < 1000)
            sum += p->v;
        p->v = 0;
        assert(p->v == 0);
        p = p->next;
        n++;
    }
    assert(n <= 1000 && sum >= PICK(0, 1));
}
