/* A variable of each thread.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH -lpthread, and the program aborts
*/
#include <assert.h>
#include <pthread.h>
static __thread int t = 1;
static int seen;
static void *th(void*p){ seen = t; t = 9; return 0; }
int main(void){ t = 5; pthread_t x; pthread_create(&x,0,th,0); pthread_join(x,0); assert(seen == 5);
 return 0; }
