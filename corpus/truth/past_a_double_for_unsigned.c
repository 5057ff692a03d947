/* A negative number becomes a large unsigned one.
   command: gen FILE --no-exec --timeout 10
   never:   u > 5 is true: infeasible
   truth:   (unsigned)-1.5 is 4294967295
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(double d) { if (d > -1.0) return 0; unsigned u = (unsigned)d; if (u > 5) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile double d = -1.5; if (f(d)) abort(); return 0; }
#endif
