/* A NaN has any payload.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <string.h>
int f(double d){ if(d==d) return 0; unsigned long b; memcpy(&b,&d,8); assert((b&0xff)==0);
 return 0; }
#ifdef TRUTH
int main(void){ unsigned long b=0x7ff8000000000011ul; double d; memcpy(&d,&b,8); return f(d); }
#endif
