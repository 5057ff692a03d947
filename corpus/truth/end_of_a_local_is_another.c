/* The end of a local is another.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(void){ int a[4],b[4],c[4]; a[0]=b[0]=c[0]=0; int*p=a+4,*q=b+4,*r=c+4; int n=(p==b)+(q==a)+(q==c)+(r==b)+(p==c)+(r==a); assert(n==0);
 return 0; }
int main(void){return f();}
