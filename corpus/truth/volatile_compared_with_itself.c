/* Two copies of a volatile variable may differ.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (a == b): holds
   truth:   an interrupt changes it between the two accesses
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#ifdef TRUTH
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static void start(void (*h)(int)) { struct itimerval t = { { 0, 200 }, { 0, 200 } }; signal(SIGALRM, h); setitimer(ITIMER_REAL, &t, 0); }
#endif
volatile unsigned reg;
void stable(void) { unsigned a = reg; unsigned b = reg; assert(a == b); }
#ifdef TRUTH
static void h(int s) { reg++; }
int main(void) { start(h); for (;;) stable(); }
#endif
