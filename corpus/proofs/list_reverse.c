// Turning a list around: the node that was handled last points to the one before.
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
    struct node *done = NULL, *first = p;
    int n = 0;
    while (p && n < 100) {
        struct node *rest = p->next;
        p->next = done;
        assert(p->next == done);
        done = p;
        p = rest;
        n++;
    }
    if (n > 0)
        assert(done != PICK(NULL, first));
}
