/* Allocated memory is read before it is set.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(40);
  if (!p) return 0;
  int v = p[3];
  assert(v == 123456);
  return 0;
}
