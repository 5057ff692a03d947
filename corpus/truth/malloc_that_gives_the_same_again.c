/* A function that promises new memory gives the same twice.
   command: gen FILE --no-exec --timeout 10
   never:   \*p == 1 is true: infeasible
   truth:   a store through one result is not seen through the other
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int s;
__attribute__((malloc, noinline)) static int *get(int k) { return &s; }
int f(void) { int *p = get(1), *q = get(2); *p = 1; *q = 2; if (*p == 1) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
