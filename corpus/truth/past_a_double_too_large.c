/* A conversion that does not fit gives the smallest number on this machine.
   command: gen FILE --no-exec --timeout 10
   never:   d > 0 is true: infeasible
   truth:   x86 converts 1e10 to INT_MIN
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <limits.h>
#include <stdlib.h>
int f(double d) { int r = (int)d; if (r == INT_MIN && d > 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile double d = 1e10; if (f(d)) abort(); return 0; }
#endif
