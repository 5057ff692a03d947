/* A handler runs when the program aborts.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
static int x = 1;
static void h(int s){ assert(x == 1); }
int main(void){ signal(SIGABRT, h); x = 2; abort(); }
