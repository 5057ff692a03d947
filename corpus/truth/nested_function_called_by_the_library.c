/* A nested function counts how often qsort calls it.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <stdlib.h>
int main(void){ int n = 0; int a[3]={3,2,1}; int cmp(const void*p,const void*q){ n++; return *(int*)p-*(int*)q; } qsort(a,3,sizeof(int),cmp); assert(n == 0);
 return 0; }
