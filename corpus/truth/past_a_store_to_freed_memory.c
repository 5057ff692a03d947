/* A store to freed memory changes what was allocated there.
   command: gen FILE --no-exec --timeout 10
   never:   q[0] == 5 is true: infeasible
   truth:   both have one address
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(void) { int *p = malloc(16); if (!p) return 0; free(p); int *q = malloc(16); if (!q) return 0; q[0] = 1; p[0] = 5; if (q[0] == 5) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
