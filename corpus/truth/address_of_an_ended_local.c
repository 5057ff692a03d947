/* gcc makes null of the address of a local variable that is returned.
   command: gen FILE --no-exec --timeout 10
   never:   p == 0 is true: infeasible
   truth:   gcc returns null
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int *g(void) { int x = 5; return &x; }
int f(void) { int *p = g(); if (p == 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
