/* What lies before an array.
   command: gen FILE --no-exec --timeout 10
   never:   a[i] == 9 is true: infeasible
   truth:   the member before it
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static struct { int before; int a[4]; } g = {9, {1, 2, 3, 4}};
int f(int i) { if (i < 0 && g.a[i] == 9) return 1; return 0; }
#ifdef TRUTH
int main(void) { g.before = 9; volatile int i = -1; if (f(i)) abort(); return 0; }
#endif
