/* What stands behind a left shift of a negative number, which gcc defines, is not dead.
   command: gen FILE --no-exec --timeout 10
   never:   y == -40 is true: infeasible
   truth:   it is true for f(10)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int x) { int y = -x << 2; if (x > 0 && x < 100 && y == -40) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(10)) abort(); return 0; }
#endif
