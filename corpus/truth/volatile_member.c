/* A volatile member of a structure may change between two reads.
   command: gen FILE --no-exec --timeout 10
   never:   d->s == 2 is true: infeasible
   truth:   an interrupt changes it between the two accesses
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#ifdef TRUTH
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static void start(void (*h)(int)) { struct itimerval t = { { 0, 200 }, { 0, 200 } }; signal(SIGALRM, h); setitimer(ITIMER_REAL, &t, 0); }
#endif
struct d { int a; volatile int s; };
int f(struct d *d) { if (d->s != 2) { if (d->s == 2) return 1; } return 0; }
#ifdef TRUTH
static struct d x;
static void h(int s) { x.s = 2 - x.s; }
int main(void) { start(h); while (!f(&x)) { } abort(); }
#endif
