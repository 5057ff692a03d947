/* goto into the inner of two loops.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int k){ int i=0,j=0,n=0; if(k==7) goto in; for(i=0;i<3;i++){ for(j=0;j<2;j++){ n++; in: ; } } assert(n==6);
 return n; }
#ifdef TRUTH
int main(void){ return f(7);}
#endif
