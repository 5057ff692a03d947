/* A function ends without its result, which is used.
   command: gen FILE --no-exec --timeout 10
   never:   y == 7 is true: infeasible
   truth:   the register keeps what was there
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int h(int x) { return x; }
static int g(int x) { if (x > 8) return 3; h(x); }
int f(int x) { int y = g(x); if (y == 7) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int x = 7; if (f(x)) abort(); return 0; }
#endif
