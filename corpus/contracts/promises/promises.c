#include <limits.h>
#include <stddef.h>

#define LIMIT 40

enum mode { OFF, SLOW, FAST };

struct motor {
    enum mode mode;
    int speed;
};

static int calls;

/* The first test is never true: the contract says so. */
int scale(int x)
{
    if (x < 0)
        return -1;
    if (x > LIMIT)
        return LIMIT;
    return x * 2;
}

int drive(struct motor *m, unsigned level)
{
    calls++;
    if (m == NULL)
        return 0;
    if (m->speed > 100)
        return -1;
    if (level > 3)
        m->mode = FAST;
    else
        m->mode = SLOW;
    return 1;
}

int largest(const int *v, int n)
{
    int best = v[0];
    for (int i = 1; i < n; i++)
        if (v[i] > best)
            best = v[i];
    return best;
}

double root_sum(double x, double y)
{
    if (x + y > 10.0)
        return 10.0;
    return x + y;
}

/* Breaks its promise for x > 10. */
int halve(int x)
{
    if (x > 10)
        return x;
    return x / 2;
}

/* Only both clauses together keep the sum small. */
int both(int x, int y)
{
    if (x + y > 15)
        return 1;
    return 0;
}
