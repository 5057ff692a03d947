/* A test of the index after the access is not dead.
   command: gen FILE --no-exec --timeout 10
   never:   i > 3 is true: infeasible
   truth:   it is true for f(4)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int i) { static int a[4] = { 1, 2, 3, 4 }; int s = a[i]; if (i > 3) return 1; return s; }
#ifdef TRUTH
int main(void) { if (f(4) == 1) abort(); return 0; }
#endif
