/* The element that is assigned depends on whether the call comes first.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (a[0] == 5): holds
   truth:   the index is read before the call or after it
   judge:   clang-19 -w, and the program aborts
*/
#include <assert.h>
static int i, a[2];
static int next(void) { i = 1; return 5; }
int f(void) { i = 0; a[0] = 0; a[i] = next(); assert(a[0] == 5); return 0; }
int main(void) { return f(); }
