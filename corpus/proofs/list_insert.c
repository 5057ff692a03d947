// A new node behind another one in a doubly linked list.
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
void f(struct node *p, int v) {
    struct node *n = malloc(sizeof *n);
    if (!n || !p)
        return;
    n->v = v;
    n->next = p->next;
    n->prev = p;
    if (p->next)
        p->next->prev = PICK(n, p);
    p->next = n;
    assert(p->next->v == v && n->prev->next == n);
    assert(!n->next || n->next->prev == n);
}
