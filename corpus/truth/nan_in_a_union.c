/* The payload of a NaN in a union.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
union u { float f; unsigned b; };
int f(float x){ union u y; y.f=x; assert((y.b & 0x7fffff)==0 || (y.b & 0x7fffff)==0x400000 || x==x);
 return 0; }
#ifdef TRUTH
int main(void){ union u y; y.b=0x7fc00123; return f(y.f); }
#endif
