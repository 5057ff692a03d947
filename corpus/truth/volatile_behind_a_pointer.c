/* What a pointer to volatile leads to may change after the loop that waited for it.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (*sr & 1u): holds
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
void dev(volatile unsigned *sr) { int n = 0; while ((*sr & 1u) == 0u) { if (++n > 3) return; } assert(*sr & 1u); }
#ifdef TRUTH
static volatile unsigned r;
static void h(int s) { r++; }
int main(void) { start(h); for (;;) dev(&r); }
#endif
