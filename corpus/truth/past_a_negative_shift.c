/* A shift by a negative number.
   command: gen FILE --no-exec --timeout 10
   never:   y != 0 is true: infeasible
   truth:   1u << -1 is 2147483648
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int n) { if (n != -1) return 0; unsigned y = 1u << n; if (y != 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int n = -1; if (f(n)) abort(); return 0; }
#endif
