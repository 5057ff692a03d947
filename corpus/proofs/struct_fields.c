// Two fields of a record in step.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct pair { int left; int right; };
void f(int n) {
    struct pair p;
    p.left = 0;
    p.right = n;
    if (n < 0)
        return;
    while (p.right > 0) {
        p.left++;
        p.right--;
    }
    assert(p.left == PICK(n, n - (n == 2)));
}
