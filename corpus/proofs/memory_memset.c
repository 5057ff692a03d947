// Filling and copying bytes of a structure and of an array.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct state {
    short mode;
    int count;
    int *next;
    float level;
};
void f(int n) {
    struct state s, t;
    int a[4] = {1, 2, 3, 4}, b[4];
    s.mode = 3;
    s.count = n;
    memset(&s, 0, sizeof s);
    memcpy(&t, &s, sizeof t);
    memcpy(b, a, sizeof a);
    memset(a + 1, PICK(0, 1), 2 * sizeof *a);
    assert(t.mode == 0 && t.count == 0 && !t.next && t.level == 0);
    assert(b[1] == 2 && a[0] == 1 && a[1] == 0 && a[3] == 4);
}
