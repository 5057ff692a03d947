/* The bound of a loop in a call is a byte.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static unsigned sum(unsigned char n){ unsigned s=0; for(unsigned char i=0;i!=n;i++) s+=i; return s; }
int f(unsigned n){ unsigned s=sum(n); assert(n<256 || s!=1);
 return 0; }
#ifdef TRUTH
int main(void){ return f(258);}
#endif
