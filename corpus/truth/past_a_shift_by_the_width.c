/* A shift by the width shifts by nothing on this machine.
   command: gen FILE --no-exec --timeout 10
   never:   x == 1 is true: infeasible
   truth:   1 << 32 is 1
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int n) { int x = 1 << n; if (n == 32 && x == 1) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int n = 32; if (f(n)) abort(); return 0; }
#endif
