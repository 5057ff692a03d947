/* Assembly writes a global through an address, and says so.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int g = 3;
static int *gp = &g;
int f(void){ g = 3; int *p = &g; __asm__ volatile("movl $7, (%0)" : : "r"(p) : "memory"); assert(g == 3);
 return 0; }
int main(void){return f();}
