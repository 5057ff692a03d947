/* A volatile bit-field may change between two reads.
   command: gen FILE --no-exec --timeout 10
   never:   r->ready is true: infeasible
   truth:   an interrupt changes it between the two accesses
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#ifdef TRUTH
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static void start(void (*h)(int)) { struct itimerval t = { { 0, 200 }, { 0, 200 } }; signal(SIGALRM, h); setitimer(ITIMER_REAL, &t, 0); }
#endif
struct r { unsigned ready : 1, rest : 7; };
int f(volatile struct r *r) { if (!r->ready) { if (r->ready) return 1; } return 0; }
#ifdef TRUTH
static volatile struct r x;
static void h(int s) { x.ready = !x.ready; }
int main(void) { start(h); while (!f(&x)) { } abort(); }
#endif
