/* A shift by more than the width shifts by the rest.
   command: gen FILE --no-exec --timeout 10
   never:   y == 8 is true: infeasible
   truth:   16 >> 33 is 8
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int x, int n) { int y = x >> n; if (n == 33 && x == 16 && y == 8) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int n = 33; if (f(16, n)) abort(); return 0; }
#endif
