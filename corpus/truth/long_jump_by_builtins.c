/* The builtins of gcc jump.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static void *b[5];
__attribute__((noinline)) static void j(void){ __builtin_longjmp(b,1); }
int main(void){ volatile int n=0; if(__builtin_setjmp(b)==0){ n=1; j(); } else { assert(n==0); }
 return 0; }
