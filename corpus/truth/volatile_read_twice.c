/* A volatile variable may change between two reads.
   command: gen FILE --no-exec --timeout 10
   never:   flag == 1 is true: infeasible
   truth:   an interrupt changes it between the two accesses
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#ifdef TRUTH
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static void start(void (*h)(int)) { struct itimerval t = { { 0, 200 }, { 0, 200 } }; signal(SIGALRM, h); setitimer(ITIMER_REAL, &t, 0); }
#endif
volatile int flag;
int twice(void) { if (flag == 0) { if (flag == 1) return 1; } return 0; }
#ifdef TRUTH
static void h(int s) { flag = !flag; }
int main(void) { start(h); while (!twice()) { } abort(); }
#endif
