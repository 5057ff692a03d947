/* A default that is marked unreachable.
   command: gen FILE --no-exec --timeout 10
   never:   c > 2 is true: infeasible
   truth:   control falls through
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int c) { int r = 0; switch (c) { case 1: r = 1; break; case 2: r = 2; break; default: __builtin_unreachable(); } if (c > 2) return 1; return r - r; }
#ifdef TRUTH
int main(void) { volatile int c = 5; if (f(c)) abort(); return 0; }
#endif
