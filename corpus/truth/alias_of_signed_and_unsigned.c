/* An int and an unsigned int may be the same object (C11 6.5p7).
   command: gen FILE --no-exec --timeout 10
   never:   *i != 1 is true: infeasible
   truth:   it is true for r8(&x, (int *)&x)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int r8(unsigned *i, int *f) { *i = 1; *f = 2; if (*i != 1) return 1; return 0; }
#ifdef TRUTH
int main(void) { unsigned x; if (r8(&x, (int *)&x)) abort(); return 0; }
#endif
