/* A result that only one branch gives.
   command: gen FILE --no-exec --timeout 10
   never:   v < 0 is true: infeasible
   truth:   the register keeps what was there
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int g(int x) { int y = x - 1; if (y >= 0) return y; }
int f(int x) { if (x < -9) return 2; int v = g(x); if (v < 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int x = 0; if (f(x) == 1) abort(); x = -3; if (f(x) == 1) abort(); return 0; }
#endif
