/* Memory that is lost, and memory that only looks so. */
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

static struct node *kept;

/* Lost on one path only. */
int forgets(int n)
{
    char *buffer = malloc(8);
    if (!buffer)
        return -1;
    buffer[0] = 1;
    if (n == 77)
        return n;
    free(buffer);
    return 0;
}

int frees(int n)
{
    char *buffer = malloc(8);
    if (!buffer)
        return -1;
    buffer[0] = 1;
    if (n == 77) {
        free(buffer);
        return n;
    }
    free(buffer);
    return 0;
}

/* Reachable from the result, through other memory. */
struct node *pair(int a, int b)
{
    struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    if (!first || !second)
        abort();
    first->value = a;
    first->next = second;
    second->value = b;
    second->next = 0;
    return first;
}

/* The second node is lost when the first one goes. */
void drops_tail(int a)
{
    struct node *list = pair(a, 2);
    free(list);
}

/* Reachable from a global. */
void keeps(int value)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        return;
    node->value = value;
    node->next = kept;
    kept = node;
}

/* Reachable through a parameter. */
int fills(char **out)
{
    if (!out)
        return 0;
    *out = strdup("text");
    return *out != 0;
}

/* The old block is lost when realloc fails. */
char *grows(void)
{
    char *buffer = malloc(4);
    if (!buffer)
        return 0;
    buffer = realloc(buffer, 8);
    return buffer;
}

/* Overwritten in a loop: all but the last. */
char *last_of(int n)
{
    char *block = 0;
    for (int i = 0; i < n && i < 3; i++)
        block = malloc(2);
    return block;
}

/* The function is still active when the run ends. */
int exits(int n)
{
    char *buffer = malloc(8);
    if (n > 3)
        exit(1);
    free(buffer);
    return 0;
}

/* Nobody here knows what it does with the block, or with what is in it. */
void hand_over(void *block);

void gives(void)
{
    char *block = malloc(4);
    hand_over(block);
}

void gives_inside(void)
{
    struct node outer = {malloc(sizeof outer), 0};
    if (outer.next)
        outer.next->value = 3;
    hand_over(&outer);
}

/* Made after the call: nobody has seen it. */
void gives_too_early(void)
{
    struct node outer = {0, 0};
    hand_over(&outer);
    outer.next = malloc(sizeof outer);
}
