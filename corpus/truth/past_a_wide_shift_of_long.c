/* A shift of a long by 64.
   command: gen FILE --no-exec --timeout 10
   never:   y == x is true: infeasible
   truth:   x << 64 is x
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(unsigned long x, int n) { if (n != 64 || x != 3) return 0; unsigned long y = x << n; if (y == x) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int n = 64; if (f(3, n)) abort(); return 0; }
#endif
