/* Memset through a plain pointer sets only the first element in the prover.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (d[100] == 5): holds
   truth:   assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <string.h>
void f(char *d) {
  if (!d) return;
  d[100] = 5;
  memset(d, 0, 101);
  assert(d[100] == 5);
}
#ifdef TRUTH
int main(void) { static char a[101]; f(a); return 0; }
#endif
