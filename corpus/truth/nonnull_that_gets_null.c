/* A function whose parameter is declared never to be null gets null.
   command: gen FILE --function f --no-exec --timeout 10
   never:   is_null(0) is false: infeasible
   truth:   the comparison with null is dropped
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
__attribute__((nonnull, noinline)) static int is_null(int *p) { return p == 0; }
int f(void) { if (!is_null(0)) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
