/* An address with a mark in its last bit.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void){ int x=1; unsigned long n=(unsigned long)&x|1; int*p=(int*)(n&~1ul); *p=2; assert(x==1);
 return 0; }
