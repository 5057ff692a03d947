/* Numbers are rounded as the program says.
   command: gen FILE --no-exec --timeout 5 --function f
   never:   rint(x) == 3.0 is true: infeasible
   truth:   2.5 is rounded up
   judge:   gcc -w -DTRUTH -Wl,--no-as-needed -lm, and the program aborts
*/
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
int f(double x) { if (x != 2.5) return 0; fesetround(FE_UPWARD); if (rint(x) == 3.0) return 1; return 2; }
#ifdef TRUTH
int main(void) { if (f(2.5) == 1) abort(); return 0; }
#endif
