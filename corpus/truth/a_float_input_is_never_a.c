/* A float input is never a NaN with a payload.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (0): unreachable
   truth:   assertion fails for the NaN 0x7fc00001
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <string.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
  float f = __VERIFIER_nondet_float(); unsigned u;
  memcpy(&u, &f, 4);
  if (u == 0x7fc00001u) assert(0);
  return 0;
}
#ifdef TRUTH
float __VERIFIER_nondet_float(void) { unsigned u = 0x7fc00001u; float f; memcpy(&f, &u, 4); return f; }
#endif
