/* Signbit of a NaN input.
   command: gen FILE
   never:   signbit(x) is true: infeasible: 
   truth:   true for x = -NAN
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#include <math.h>
int f(float x) { if (x == x) return 0; if (signbit(x)) return 1; return 2; }
#ifdef TRUTH
int main(void) { assert(f(-__builtin_nanf("")) != 1); return 0; }
#endif
