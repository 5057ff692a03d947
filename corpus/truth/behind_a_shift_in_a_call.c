/* What stands behind a call that shifts too far is not dead.
   command: gen FILE --no-exec --timeout 10
   never:   k < 0 is true: infeasible
   truth:   it is true for f(31)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int bit(int n) { return 1 << n; }
int f(int n) { if (n < 0 || n > 31) return 0; int k = bit(n); if (k < 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(31)) abort(); return 0; }
#endif
