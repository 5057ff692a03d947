/* A number is the address that another parameter has.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(unsigned long n,int*q){ if(n==0||!q) return 0; *q=1; *(int*)n=5; assert(*q==1);
 return 0; }
#ifdef TRUTH
int main(void){ int x; return f((unsigned long)&x,&x); }
#endif
