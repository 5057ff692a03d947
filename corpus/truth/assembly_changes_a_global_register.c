/* A register that is a global variable is changed by assembly.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
register long counter __asm__("r15");
void h(void){ __asm__ volatile("movq $9, %r15"); }
int main(void){ counter = 1; h(); assert(counter == 1);
 return 0; }
