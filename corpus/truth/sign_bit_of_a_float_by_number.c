/* Of `signbit` only that it is not zero is fixed: gcc gives another number at -O2.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (sign != 1): holds
   truth:   it fails for f(-1.0f) at -O2
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(float x) { if (!(x < 0)) return 0; int sign = __builtin_signbitf(x); assert(sign != 1); return 1; }
#ifdef TRUTH
int main(void) { return f(-1.0f); }
#endif
