// The members of a queue: a structure that points to its first and last node.
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
struct queue {
    struct node *first, *last;
    int size;
};
void f(struct queue *q, struct node *n) {
    if (!q || !n || q->size < 0 || q->size > 100)
        return;
    n->next = NULL;
    if (q->last)
        q->last->next = n;
    else
        q->first = n;
    q->last = n;
    q->size++;
    assert(q->last == n && q->size >= 1);
    assert(n->next == NULL || n->next == PICK(n, q->first));
}
