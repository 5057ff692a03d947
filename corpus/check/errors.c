/* One function per kind of run-time error, each with a twin in which it cannot happen. */
#include <limits.h>
#include <stdlib.h>

int division(int a, int b) { return a / b; }
int division_safe(int a, int b) { return b > 0 ? a / b : 0; }

int overflow(int a) { return a + 1; }
int overflow_safe(int a) { return a < INT_MAX ? a + 1 : a; }

int shift(int n) { return 1 << n; }
int shift_safe(int n) { return 1 << (n & 15); }

int null_pointer(const int *p) { return *p; }
int null_pointer_safe(const int *p) { return p ? *p : 0; }

int table[10];
int bounds(unsigned i) { return table[i]; }
int bounds_safe(unsigned i) { return table[i % 10]; }

int uninitialized(int c)
{
    int t[2];
    if (c > 0)
        t[1] = c;
    return t[1];
}
int uninitialized_safe(int c)
{
    int t[2];
    t[1] = 0;
    if (c > 0)
        t[1] = c;
    return t[1];
}

int after_free(int c)
{
    int *p = malloc(sizeof *p);
    int result;
    if (!p)
        return 0;
    *p = c;
    if (c == 7)
        free(p);
    result = *p;
    if (c != 7)
        free(p);
    return result;
}
void twice(int c)
{
    char *p = malloc(4);
    if (c & 1)
        free(p);
    free(p);
}
void twice_safe(int c)
{
    char *p = malloc(4);
    if (c & 1) {
        free(p);
        p = 0;
    }
    free(p);
}
