/* Memset of an escaped heap array, whole program.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (d[7] == 5): holds
   truth:   assertion fails for 500
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int *keep;
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 1000, s = 0;
  for (unsigned i = 0; i < n; i++) s += 3;
  int *d = malloc(64 * sizeof *d);
  if (!d) return 0;
  keep = d;
  d[7] = 5;
  if (s == 1500) memset(d, 0, 64 * sizeof *d);
  assert(d[7] == 5);
  return 0;
}
#ifdef TRUTH
unsigned __VERIFIER_nondet_uint(void) { return 500; }
#endif
