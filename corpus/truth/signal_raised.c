/* A signal is raised and its handler changes a global.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <signal.h>
static volatile sig_atomic_t n; static int m;
static void h(int s){ m = 7; }
int main(void){ signal(SIGUSR1, h); raise(SIGUSR1); assert(m == 0);
 return 0; }
