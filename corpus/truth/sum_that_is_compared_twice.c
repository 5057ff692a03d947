/* A sum overflows: it is negative before the compiler knows that its operands are positive, and not after that.
   command: gen FILE --no-exec --timeout 10
   never:   r == 3 is true: infeasible
   truth:   after an overflow each comparison may see another number
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int a, int b) {
  int s = a + b, r = 0;
  if (s < 0) r = 1;
  if (a > 0 && b > 0) { if (s >= 0) r += 2; }
  if (r == 3) return 1;
  return 0;
}
#ifdef TRUTH
int main(void) { volatile int x = 0x7fffffff; if (f(x, x)) abort(); return 0; }
#endif
