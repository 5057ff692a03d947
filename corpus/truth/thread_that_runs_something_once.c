/* pthread_once calls a function.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH -lpthread, and the program aborts
*/
#include <pthread.h>
#include <assert.h>
static pthread_once_t o = PTHREAD_ONCE_INIT; static int n;
static void i(void){ n=1; }
int main(void){ pthread_once(&o,i); assert(n==0);
 return 0; }
