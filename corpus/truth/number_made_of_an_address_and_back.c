/* An address is changed as a number and back.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void){ int x=1; unsigned long n=(unsigned long)&x; n^=0xff; n^=0xff; *(int*)n=2; assert(x==1);
 return 0; }
