/* An allocation fails only under the limit of our own replay.
   command: check FILE --timeout 10 --assertions-only --function f
   never:   assertion*: violated
   truth:   malloc(2147483647) succeeds
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
int f(int n) { char *p; if (n < 0) return -1; p = malloc((size_t)n + 1); assert(p); free(p); return 0; }
#ifdef TRUTH
int main(void) { if (f(2147483647) == 0) abort(); return 0; }
#endif
