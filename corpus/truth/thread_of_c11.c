/* A thread of C11 changes a global.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH -lpthread, and the program aborts
*/
#include <threads.h>
#include <assert.h>
static int g;
static int t(void*p){ g=1; return 0; }
int main(void){ thrd_t x; g=0; thrd_create(&x,t,0); thrd_join(x,0); assert(g==0);
 return 0; }
