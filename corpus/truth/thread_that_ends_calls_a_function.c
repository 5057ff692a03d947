/* What a thread leaves behind is passed to a function.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH -lpthread, and the program aborts
*/
#include <pthread.h>
#include <assert.h>
static int n; static pthread_key_t k;
static void d(void*p){ n=*(int*)p; }
static void*t(void*p){ static int v=4; pthread_setspecific(k,&v); return 0; }
int main(void){ pthread_key_create(&k,d); pthread_t th; pthread_create(&th,0,t,0); pthread_join(th,0); assert(n==0);
 return 0; }
