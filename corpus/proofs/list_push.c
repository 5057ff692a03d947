// A list that is built in front has the last value at its head.
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
void f(int n) {
    struct node *head = NULL;
    int i = 0;
    while (i < n) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            return;
        node->v = i;
        node->next = head;
        node->prev = NULL;
        head = node;
        i++;
        assert(head->v == i - 1);
    }
    if (head)
        assert(head->v == PICK(i - 1, i));
}
