/* The sign of a NaN that a difference gives.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH -lm, and the program aborts
*/
#include <assert.h>
#include <math.h>
int f(double d){ double z=d-d; if(z==z) return 0; assert(!signbit(z));
 return 0; }
#ifdef TRUTH
int main(void){ volatile double i=INFINITY; return f(i); }
#endif
