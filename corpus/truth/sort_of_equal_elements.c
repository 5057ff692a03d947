/* Which of two equal elements a sort puts first.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (v[0].at == 1): holds
   truth:   C11 7.22.5.2p4: their order is unspecified
*/
#include <assert.h>
#include <stdlib.h>
struct pair { int key, at; };
static int compare(const void *a, const void *b) {
  int x = ((const struct pair *)a)->key, y = ((const struct pair *)b)->key;
  return (x > y) - (x < y);
}
int f(void) { struct pair v[2] = {{3, 1}, {3, 2}}; qsort(v, 2, sizeof *v, compare); assert(v[0].at == 1); return 0; }
