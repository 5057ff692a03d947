/* Assembly writes a local through an address that it gets, and does not say so.
   command: check FILE --timeout 20
   never:   assertion (v == 3): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(void){ int v = 3; __asm__ volatile("movl $7, (%0)" : : "r"(&v)); assert(v == 3);
 return 0; }
int main(void){return f();}
