/* Sums are rounded as the program says.
   command: check FILE --timeout 5 --function f
   never:   VERDICT: true
   truth:   the sum is rounded up
   judge:   gcc -w -DTRUTH -Wl,--no-as-needed -lm, and the program aborts
*/
#include <assert.h>
#include <fenv.h>
int f(double x) { if (x != 1.0) return 0; fesetround(FE_UPWARD); assert(x + 0x1p-60 == 1.0); return 2; }
#ifdef TRUTH
int main(void) { volatile double x = 1.0; return f(x); }
#endif
