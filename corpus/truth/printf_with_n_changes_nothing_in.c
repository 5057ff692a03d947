/* Printf with %n changes nothing in the prover.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (n == 0): holds
   truth:   assertion fails for 5000: n is 3
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdio.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  int n = 0; unsigned k = __VERIFIER_nondet_uint(), s = 0;
  for (unsigned i = 0; i < k; i++) s += 3;
  if (s == 15000) printf("abc%n", &n);
  assert(n == 0);
  return 0;
}
#ifdef TRUTH
unsigned __VERIFIER_nondet_uint(void) { return 5000; }
#endif
