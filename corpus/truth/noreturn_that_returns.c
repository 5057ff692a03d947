/* A function that promises not to return does.
   command: gen FILE --no-exec --timeout 10
   never:   x == 2 is true: infeasible
   truth:   control goes on behind the call
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
_Noreturn static void g(int x) { if (x > 3) __builtin_trap(); }
int f(int x) { if (x < 3) g(x); if (x == 2) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int x = 2; if (f(x)) abort(); return 0; }
#endif
