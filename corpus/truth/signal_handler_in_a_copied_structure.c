/* The handler is in a structure that is copied by memcpy.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <signal.h>
#include <string.h>
static int m;
static void h(int s){ m = 2; }
static struct sigaction proto = { .sa_handler = h };
int main(void){ struct sigaction sa; memcpy(&sa,&proto,sizeof sa); sigaction(SIGINT,&sa,0); raise(SIGINT); assert(m == 0);
 return 0; }
