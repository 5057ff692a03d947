/* A volatile divisor may become zero after it was looked at.
   command: check FILE --timeout 10
   never:   division-by-zero *: holds
   truth:   an interrupt changes it between the two accesses
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#ifdef TRUTH
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static void start(void (*h)(int)) { struct itimerval t = { { 0, 200 }, { 0, 200 } }; signal(SIGALRM, h); setitimer(ITIMER_REAL, &t, 0); }
#endif
volatile int divisor;
int f(void) { if (divisor != 0) return 100 / divisor; return 0; }
#ifdef TRUTH
static void h(int s) { divisor = !divisor; }
int main(void) { start(h); for (;;) f(); }
#endif
