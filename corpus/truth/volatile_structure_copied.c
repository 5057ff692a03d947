/* Two copies of a volatile structure may differ.
   command: gen FILE --no-exec --timeout 10
   never:   x.b != y.b is true: infeasible
   truth:   an interrupt changes it between the two copies
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#ifdef TRUTH
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static void start(void (*h)(int)) { struct itimerval t = { { 0, 200 }, { 0, 200 } }; signal(SIGALRM, h); setitimer(ITIMER_REAL, &t, 0); }
#endif
struct s { int a, b; };
volatile struct s gs;
int f(void) { struct s x = gs; struct s y = gs; if (x.b != y.b) return 1; return 0; }
#ifdef TRUTH
static void h(int s) { gs.b++; }
int main(void) { start(h); for (;;) if (f()) abort(); }
#endif
