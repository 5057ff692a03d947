/* What stands behind a loop whose sum wraps is not dead.
   command: gen FILE --no-exec --timeout 10
   never:   s < 0 is true: infeasible
   truth:   it is true for f(1 << 30) with -fwrapv
   judge:   gcc -w -DTRUTH -fwrapv, and the program aborts
*/
#include <stdlib.h>
int f(int n) { int s = 0; if (n < 0) return 0; for (int i = 0; i < 3; i++) s += n; if (s < 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(1 << 30)) abort(); return 0; }
#endif
