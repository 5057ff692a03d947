/* A function is chosen by another when the program is loaded.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int fast(void){return 2;}
static void *res(void){ return fast; }
int f(void) __attribute__((ifunc("res")));
int main(void){ assert(f() != 2);
 return 0; }
