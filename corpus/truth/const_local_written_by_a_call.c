/* A function that takes a pointer to a constant writes through it.
   command: gen FILE --no-exec --timeout 10
   never:   x == 5 is true: infeasible
   truth:   compilers know what a constant is
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
__attribute__((noinline)) static void set(const int *p) { *(int *)p = 6; }
int f(void) { const int x = 5; set(&x); if (x == 5) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
