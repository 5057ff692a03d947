/* memcmp is not 1 or -1.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <string.h>
int f(const unsigned char*a,const unsigned char*b){ if(!a||!b) return 0; int r=memcmp(a,b,1); assert(r>=-1 && r<=1);
 return 0; }
#ifdef TRUTH
int main(void){ unsigned char a=9,b=1; return f(&a,&b); }
#endif
