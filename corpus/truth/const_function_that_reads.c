/* A `const` function reads a variable: its first result is used again after the variable has changed.
   command: gen FILE --no-exec --timeout 10
   never:   a == b is true: infeasible
   truth:   one call is made
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int g;
__attribute__((const, noinline)) static int get(int x) { return g + x; }
int f(int x) { g = 1; int a = get(0); g = 2; int b = get(0); if (a == b) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(1)) abort(); return 0; }
#endif
