/* `#pragma GCC optimize` takes any flag.
   command: check FILE --assertions-only --no-exec --timeout 10
   never:   assertion (x + 1 > x): holds
   truth:   it fails for f(INT_MAX)
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <limits.h>
#pragma GCC optimize("wrapv")
__attribute__((noinline)) int f(int x) { assert(x + 1 > x); return 0; }
#ifdef TRUTH
int main(void) { return f(INT_MAX); }
#endif
