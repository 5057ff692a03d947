/* The sign of a NaN is copied.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH -lm, and the program aborts
*/
#include <assert.h>
#include <math.h>
int f(float x){ if(!isnan(x)) return 0; assert(copysignf(1,x)>0);
 return 0; }
#ifdef TRUTH
int main(void){ return f(-NAN); }
#endif
