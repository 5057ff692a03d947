/* lfind calls a comparison.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <search.h>
#include <assert.h>
static int n;
static int c(const void*a,const void*b){ n = 5; return 0; }
int main(void){ int a[2]={1,2}; size_t k=2; int key=1; lfind(&key,a,&k,4,c); assert(n==0);
 return 0; }
