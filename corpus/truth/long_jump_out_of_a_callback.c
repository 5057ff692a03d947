/* A comparison jumps out of qsort.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <setjmp.h>
#include <stdlib.h>
#include <assert.h>
static jmp_buf b;
static int c(const void*x,const void*y){ longjmp(b,2); }
int main(void){ int a[2]={2,1}; int r=setjmp(b); if(r==0){ qsort(a,2,4,c); return 0;} assert(r==0);
 return 0; }
