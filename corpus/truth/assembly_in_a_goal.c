/* Assembly writes a local through an address that it gets, and does not say so.
   command: gen FILE --timeout 20
   never:   v == 7 is true: infeasible
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(void)
{
    int v = 3;
    __asm__ volatile("movl $7, (%0)" : : "r"(&v));
    if (v == 7)
        return 1;
    return 0;
}
#ifdef TRUTH
int main(void) { assert(!f()); return 0; }
#endif
