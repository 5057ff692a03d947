/* Only the second parameter is not null.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
__attribute__((nonnull(2))) int f(int*a,int*b){ assert(a!=0); return *b; }
#ifdef TRUTH
int main(void){ int x=0; return f(0,&x);}
#endif
