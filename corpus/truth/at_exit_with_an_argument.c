/* on_exit passes a pointer.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>
static void b(int st, void *p){ assert(*(int*)p == 1); }
static int v = 1;
int main(void){ on_exit(b, &v); v = 2; return 0; }
