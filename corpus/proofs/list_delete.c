// Taking a node out of a doubly linked list joins its neighbors.
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
    if (!p || !p->next || !p->prev || p->next == p || p->prev == p)
        return;
    struct node *before = p->prev, *after = p->next;
    before->next = after;
    after->prev = PICK(before, p);
    assert(before->next == after && after->prev == before);
    assert(p->next == after && p->prev == before);
}
