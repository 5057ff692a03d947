/* One object is seen as two types of pointers.
   command: check FILE --timeout 20
   never:   assertion (\*a==x): holds
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(int**a,float**b,int*x){ if(!a||!b) return 0; *a=x; *b=0; assert(*a==x);
 return 0; }
#ifdef TRUTH
int main(void){ int*q; int x; return f(&q,(float**)&q,&x); }
#endif
