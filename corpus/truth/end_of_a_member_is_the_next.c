/* The end of a member is where the next one begins.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct s { int a[2]; int b[2]; };
int main(void){ struct s x; int*p=x.a+2; int*q=x.b; assert(p!=q);
 return 0; }
