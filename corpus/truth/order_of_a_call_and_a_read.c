/* A global is read beside a call that changes it.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (r == 11): holds
   truth:   C11 6.5p3: the call may come first, or the read
   judge:   clang-19 -w, and the program aborts
*/
#include <assert.h>
static int g;
__attribute__((noinline)) static int set(void) { g = 10; return 1; }
int f(void) { g = 0; int r = g + set(); assert(r == 11); return r; }
int main(void) { return f(); }
