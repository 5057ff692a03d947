/* A thread gets its function and a local out of a structure.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH -lpthread, and the program aborts
*/
#include <pthread.h>
#include <assert.h>
struct job { void*(*run)(void*); int *v; };
static void*w(void*p){ *(int*)p = 3; return 0; }
static void start(struct job*j){ pthread_t t; pthread_create(&t,0,j->run,j->v); pthread_join(t,0); }
int main(void){ int local=1; struct job j={w,&local}; start(&j); assert(local==1);
 return 0; }
