/* A `pure` function is called for what it changes, and its result is not used.
   command: gen FILE --no-exec --timeout 10
   never:   g == 0 is true: infeasible
   truth:   the call is dropped
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int g;
__attribute__((pure, noinline)) static int set(int x) { g = 7; return x; }
int f(int x) { g = 0; set(x); if (g == 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(1)) abort(); return 0; }
#endif
