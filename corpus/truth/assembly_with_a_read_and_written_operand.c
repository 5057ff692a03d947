/* Assembly adds to a variable that it reads and writes.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int x){ int y = 5; __asm__("addl $1, %0" : "+r"(y)); assert(y == 5);
 return y+x; }
#ifdef TRUTH
int main(void){return f(1);}
#endif
