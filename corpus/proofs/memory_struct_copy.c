// A copy of a structure has its members and goes its own way.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct point {
    char tag;
    int x, y;
    double weight;
    int *at;
};
void f(int x, int y) {
    int n = 5;
    struct point a = {'p', x, y, 1.5, &n}, b;
    b = a;
    a.x = 0;
    *b.at = 7;
    assert(b.x == x && b.y == y && b.tag == 'p' && b.weight == 1.5 && n == PICK(7, 5));
}
