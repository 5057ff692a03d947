/* A loop that overflows goes on.
   command: check FILE --timeout 20
   never:   assertion (s >= 0): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int n)
{
    int s = 0;
    for (int i = 0; i < 3; i++)
        s += n;
    if (n < 0)
        return 0;
    assert(s >= 0);
    return 0;
}
#ifdef TRUTH
int main(void) { volatile int n = 1000000000; return f(n); }
#endif
