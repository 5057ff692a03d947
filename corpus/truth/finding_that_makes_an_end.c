/* A variable that was never set is read and the assertion is reached.
   command: check FILE --timeout 20
   never:   assertion (x == 3): unreachable
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static void dirty(void) { volatile int a[64]; for (int i = 0; i < 64; i++) a[i] = 77; }
static int f(int k)
{
    goto skip;
    int x = 3;
skip:
    assert(x == 3);
    return k;
}
int main(void) { dirty(); return f(4); }
