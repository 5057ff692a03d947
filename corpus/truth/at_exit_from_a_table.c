/* Functions of a table run at the end.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
static int x = 1;
static void a(void){ } static void b(void){ assert(x == 1); }
static void (*tab[])(void) = { a, b };
int main(void){ for (int i=0;i<2;i++) atexit(tab[i]); x = 2; return 0; }
