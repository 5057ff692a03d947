/* Pointers and dynamic memory: the programs of IST 2007 and JSS 2009. */
#include <stdlib.h>

/* Only c = 1 makes p point to i. */
int f(int i, int j, int c)
{
    int *p = &j;
    if (c == 1)
        p = &i;
    i = 0;
    *p = 1;
    if (i != 0)
        return 7;
    return 0;
}

/* Only i = 5 gets to 10. */
int foo_pointer(int i)
{
    int j, k = 7, r, *p;
    if (i < 6) {
        p = &j;
        j = 2;
    } else {
        p = &k;
        j = 0;
    }
    r = *p;
    *p = r * i;
    if (j > 8)
        return 10;
    return 0;
}

/* Lapkowski and Hendren: h is 8 or 9. */
int lh98(int h)
{
    int g, **p, *q, *r, *t;
    g = 3;
    q = &h;
    r = &g;
    p = &r;
    if (h < 10) {
        g = (h + 2) * 5;
        p = &q;
    }
    t = *p;
    h = 2 * g + *t;
    if (h > 100)
        return 11;
    return 0;
}

/* A ring of three pointers: i = 2, 5, 8, ... */
int jos97(int i)
{
    void *a, *b, *c, **p;
    p = &a;
    a = &b;
    b = &c;
    c = &a;
    while (i > 0) {
        i = i - 1;
        p = *p;
    }
    if (p == &c)
        return 1;
    return 0;
}

/* The input p may point to i or elsewhere. */
int aliasing(int i, int *p)
{
    i = i + 1;
    if (i > 10)
        p = &i;
    *p = *p + 5;
    if (i < 16)
        return 1;
    return 0;
}

typedef struct node *link;
struct node {
    int key;
    link next;
};

/* Josephus, after Sedgewick; n people, every m-th leaves. */
int josephus(int n, int m)
{
    int i, last;
    link t, x;
    t = malloc(sizeof *t);
    t->key = 1;
    x = t;
    i = 2;
    while (i <= n) {
        t->next = malloc(sizeof *t);
        t = t->next;
        t->key = i;
        i++;
    }
    t->next = x;
    while (t != t->next) {
        i = 1;
        while (i <= m - 1) {
            t = t->next;
            i++;
        }
        x = t->next;
        t->next = t->next->next;
        free(x);
    }
    last = t->key;
    free(t);
    return last;
}
