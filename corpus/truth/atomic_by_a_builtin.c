/* A builtin reads an object that another thread changes.
   command: gen FILE --no-exec --timeout 10
   never:   y == x is false: infeasible
   truth:   another thread counts it up
   judge:   gcc -w -O0 -pthread -DTRUTH, and the program aborts
*/
#ifdef TRUTH
#include <pthread.h>
#endif
#include <stdlib.h>
static int a;
int f(void) { int x = __atomic_load_n(&a, 5); int y = __atomic_load_n(&a, 5); if (y == x) return 0; return 1; }
#ifdef TRUTH
static void *w(void *x) { for (;;) __atomic_add_fetch(&a, 1, 5); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); for (long i = 0; i < 2000000000; i++) if (f()) abort(); return 0; }
#endif
