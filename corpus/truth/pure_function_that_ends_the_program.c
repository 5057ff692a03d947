/* A `pure` function that does not return: what is behind it is reached all the same.
   command: gen FILE --no-exec --timeout 10
   never:   x < 0 is true: infeasible
   truth:   the call is dropped
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
__attribute__((pure, noinline)) static int check(int x) { if (x < 0) exit(0); return x; }
int f(int x) { check(x); if (x < 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int x = -1; if (f(x)) abort(); return 0; }
#endif
