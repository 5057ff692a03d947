/* Another thread changes an atomic object after a store.
   command: gen FILE --no-exec --timeout 10
   never:   a != 3 is true: infeasible
   truth:   another thread counts it up
   judge:   gcc -w -O0 -pthread -DTRUTH, and the program aborts
*/
#ifdef TRUTH
#include <pthread.h>
#endif
#include <stdlib.h>
static _Atomic int a;
int f(void) { a = 3; if (a != 3) return 1; return 0; }
#ifdef TRUTH
static void *w(void *x) { for (;;) a++; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); for (long i = 0; i < 2000000000; i++) if (f()) abort(); return 0; }
#endif
