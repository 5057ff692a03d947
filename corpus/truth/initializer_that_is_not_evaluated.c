/* gcc does not evaluate what is overridden.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int n; static int g(void){ n++; return 1; }
int main(void){ int a[2]={ [0]=g(), [0]=2 }; assert(n==1);
 return a[0]*0; }
