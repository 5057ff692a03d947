/* A shift by the width goes on: what comes after it rests on that it does not happen.
   command: check FILE --timeout 20
   never:   assertion (x != 1 || n == 0): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int n)
{
    unsigned x = 1u << n;
    assert(x != 1 || n == 0);
    return 0;
}
#ifdef TRUTH
int main(void) { volatile int n = 32; return f(n); }
#endif
