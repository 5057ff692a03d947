/* A number beyond long.
   command: gen FILE --no-exec --timeout 10
   never:   l < 0 is true: infeasible
   truth:   (long)1e30f is LONG_MIN
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(float d) { if (!(d > 1)) return 0; long l = (long)d; if (l < 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile float d = 1e30f; if (f(d)) abort(); return 0; }
#endif
