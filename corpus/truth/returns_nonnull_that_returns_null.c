/* A function that promises not to return null does.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (r == (x > 0)): holds
   truth:   the comparison with null is dropped
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
static int v;
__attribute__((returns_nonnull, noinline)) static int *get(int x) { return x > 0 ? 0 : &v; }
int f(int x) { int r = 0; int *p = get(x); if (p == 0) r = 1; assert(r == (x > 0)); return r; }
#ifdef TRUTH
int main(void) { volatile int x = 1; return f(x); }
#endif
