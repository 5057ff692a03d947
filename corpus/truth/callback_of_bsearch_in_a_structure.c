/* The comparison is in a structure.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
struct ops { int k; int (*cmp)(const void*,const void*); };
static int n;
static int c(const void*a,const void*b){ n++; return *(const int*)a - *(const int*)b; }
static struct ops o = { 1, c };
int main(void){ int a[4]={1,2,3,4}, k = 4; n = 0; bsearch(&k,a,4,4,o.cmp); assert(n == 0);
 return 0; }
