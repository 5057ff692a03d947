/* A sum that overflows goes on: what comes after it rests on that it does not.
   command: check FILE --timeout 20
   never:   assertion (y > x): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int x)
{
    int y = x + 1;
    assert(y > x);
    return 0;
}
#ifdef TRUTH
int main(void) { volatile int most = 2147483647; return f(most); }
#endif
