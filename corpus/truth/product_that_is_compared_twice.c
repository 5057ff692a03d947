/* A product overflows: it is negative before the compiler knows that its operands are positive, and not after that.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (r != 3): holds
   truth:   after an overflow each comparison may see another number
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int a, int b) {
  int s = a * b, r = 0;
  if (s < 0) r = 1;
  if (a > 0 && b > 0) { if (s >= 0) r += 2; }
  assert(r != 3);
  return r;
}
#ifdef TRUTH
int main(void) { volatile int x = 65535; return f(x, x); }
#endif
