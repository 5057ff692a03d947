/* Assembly that jumps if its operand is zero.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int x){ __asm__ goto("testl %0,%0\n\tjz %l1" : : "r"(x) : "cc" : zero); return 1; zero: assert(x != 0);
 return 0;}
#ifdef TRUTH
int main(void){return f(0);}
#endif
