/* A `pure` function goes round forever, and its result is not used.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (x != 7): holds
   truth:   the call is dropped
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <assert.h>
__attribute__((pure, noinline)) static int wait(int x) { while (x == 7) { } return 0; }
int f(int x) { wait(x); assert(x != 7); return 0; }
#ifdef TRUTH
int main(void) { volatile int x = 7; return f(x); }
#endif
