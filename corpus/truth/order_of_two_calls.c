/* Two calls write one variable, and either may be the last.
   command: gen FILE --no-exec --timeout 10
   never:   g == 2 is true: infeasible
   truth:   C11 6.5.2.2p10: the order of calls in one expression is open
   judge:   clang-19 -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int g;
static int one(void) { g = 1; return 1; }
static int two(void) { g = 2; return 2; }
static int use(int a, int b) { return a + b; }
int f(void) { g = 0; use(one(), two()); if (g == 2) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
