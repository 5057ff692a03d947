/* What freed memory holds.
   command: gen FILE --no-exec --timeout 10
   never:   *p == 7 is false: infeasible
   truth:   the allocator writes there
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(void) { long *p = malloc(32); if (!p) return 0; *p = 7; free(p); if (*p == 7) return 0; return 1; }
#ifdef TRUTH
int main(void) { if (f()) abort(); return 0; }
#endif
