/* Memcpy of several elements through a plain pointer copies only the first in the prover.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (d[100] == 5): holds
   truth:   assertion fails (also gen: `d[100] != 5 is true: infeasible`)
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <string.h>
void f(int *d, int *s) {
  if (!d || !s) return;
  d[100] = 5;
  memcpy(d, s, 101 * sizeof(int));
  assert(d[100] == 5);
}
#ifdef TRUTH
int main(void) { static int a[101], b[101]; f(a, b); return 0; }
#endif
