/* A function whose parameter is declared never to be null gets null through a pointer.
   command: check FILE --function f --timeout 10
   never:   VERDICT: true
   truth:   the comparison with null is dropped, and the assertion fails
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <assert.h>
__attribute__((nonnull, noinline)) static int is_null(int *p) { return p == 0; }
int f(void) { int (*call)(int *) = is_null; assert(call(0)); return 0; }
#ifdef TRUTH
int main(void) { return f(); }
#endif
