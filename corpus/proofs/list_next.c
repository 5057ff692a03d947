// A value stored in the next node of a list is there.
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
    if (p && p->next) {
        p->next->v = 3;
        assert(p->next->v == 3);
        p->v = 4;
        assert(p->next->v == PICK((p->next == p ? 4 : 3), 3));
    }
}
