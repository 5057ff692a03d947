/* An assertion in a handler fails between two statements.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <signal.h>
static int m;
static void h(int s){ assert(m == 1); }
int main(void){ m = 1; signal(SIGUSR1, h); m = 2; raise(SIGUSR1); m = 1; return 0; }
