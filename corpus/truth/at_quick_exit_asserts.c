/* A function that runs on quick_exit.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
static int v = 1;
static void b(void){ assert(v == 1); }
int main(void){ at_quick_exit(b); v = 2; quick_exit(0); }
