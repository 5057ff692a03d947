/* Which of several equal elements a search finds.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (p == &v[1]): holds
   truth:   C11 7.22.5.1p4: which one is matched is unspecified
*/
#include <assert.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
int f(void) { int v[3] = {2, 2, 2}, key = 2, *p = bsearch(&key, v, 3, sizeof *v, compare); assert(p == &v[1]); return 0; }
