/* A test for overflow after the sum is not dead without optimization.
   command: gen FILE --no-exec --timeout 10
   never:   y < x is true: infeasible
   truth:   it is true for f(INT_MAX) with -fwrapv
   judge:   gcc -w -DTRUTH -fwrapv, and the program aborts
*/
#include <limits.h>
#include <stdlib.h>
int f(int x) { int y = x + 1; if (y < x) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(INT_MAX)) abort(); return 0; }
#endif
