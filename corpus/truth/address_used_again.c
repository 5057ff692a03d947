/* Memory that was freed is given out again.
   command: check FILE --assertions-only --malloc-may-fail --timeout 10
   never:   assertion (q != o): holds
   truth:   the assertion fails: the allocator gives the same block
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
void reuse(void) {
  char *p = malloc(8), *o = p;
  if (!p) return;
  free(p);
  char *q = malloc(8);
  if (!q) return;
  assert(q != o);
  free(q);
}
#ifdef TRUTH
int main(void) { reuse(); return 0; }
#endif
