/* What is const behind one pointer changes by another.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(const int*a,int*b){ if(!a||!b) return 0; int x=*a; *b=x^1; assert(*a==x); return 0; }
#ifdef TRUTH
int main(void){ int x=0; return f(&x,&x);}
#endif
