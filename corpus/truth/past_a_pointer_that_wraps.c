/* Pointer arithmetic that wraps around.
   command: gen FILE --no-exec --timeout 10
   never:   q < t is true: infeasible
   truth:   a large offset wraps
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(char *t, unsigned long n) { char *q = t + n; if (q < t) return 1; return 0; }
#ifdef TRUTH
int main(void) { char c[4]; volatile unsigned long n = -1ul; if (f(c, n)) abort(); return 0; }
#endif
