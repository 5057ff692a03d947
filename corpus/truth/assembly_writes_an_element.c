/* Assembly stores to an element that is its output.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(void){ int a[2]={1,2}; __asm__ volatile("movl $9, %0" : "=m"(a[1])); assert(a[1]==2);
 return 0;}
int main(void){return f();}
