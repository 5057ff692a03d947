/* A pointer to rows of variable length has a variably modified type, too.
   command: check FILE --timeout 20
   never:   p == m): holds
   truth:   p is m + 1
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int n)
{
    if (n < 1 || n > 3)
        return 0;
    int m[2][n];
    int (*p)[n] = m;
    typeof(p++) q = 0;
    assert(p == m);
    return q != 0;
}
#ifdef TRUTH
int main(void) { return f(2); }
#endif
