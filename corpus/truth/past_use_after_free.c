/* Memory that was freed is read before the assertion.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (v != v): unreachable
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = calloc(1, 4);
  if (!p) return 0;
  free(p);
  int v = *p;
  assert(v != v);
  return 0;
}
