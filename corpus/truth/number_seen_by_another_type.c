/* An integer is changed through a pointer to a float.
   command: gen FILE --no-exec --timeout 10
   never:   r == 1 is true: infeasible
   truth:   C11 6.5p7: undefined, and compilers take them for different memory
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
__attribute__((noinline)) static int set(int *p, float *q) { *p = 1; *q = 2.0f; return *p; }
int f(void) { int v; int r = set(&v, (float *)&v); if (r == 1) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
