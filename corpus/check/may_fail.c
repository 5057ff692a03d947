/* Allocations that may give null. */
#include <stdlib.h>
#include <string.h>

struct point {
    int x, y;
};

int careless(int x)
{
    struct point *point = malloc(sizeof *point);
    point->x = x;
    point->y = 1;
    int sum = point->y;
    free(point);
    return sum;
}

int careful(int x)
{
    struct point *point = malloc(sizeof *point);
    if (!point)
        return -1;
    point->x = x;
    point->y = 1;
    int sum = point->y;
    free(point);
    return sum;
}

/* Only the second allocation is not looked at. */
int half_careful(int n)
{
    int *first = calloc(2, sizeof *first);
    if (!first)
        return -1;
    first[0] = n;
    first = realloc(first, 4 * sizeof *first);
    first[3] = 2;
    free(first);
    return 0;
}

char copies(const char *text)
{
    if (!text)
        return 0;
    char *copy = strdup(text);
    char first = copy[0];
    free(copy);
    return first;
}
