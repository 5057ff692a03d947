/* The sum that wraps goes through memory.
   command: gen FILE --no-exec --timeout 10
   never:   g < 0 is true: infeasible
   truth:   it is negative
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int g;
static void set(int x) { g = x + 1; }
int f(int x) { if (x < 0) return 0; set(x); if (g < 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int x = 2147483647; if (f(x)) abort(); return 0; }
#endif
