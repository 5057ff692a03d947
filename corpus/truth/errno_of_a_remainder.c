/* The remainder of a division by zero sets errno.
   command: check FILE --timeout 5 --function f
   never:   VERDICT: true
   truth:   it does
   judge:   gcc -w -DTRUTH -Wl,--no-as-needed -lm, and the program aborts
*/
#include <assert.h>
#include <errno.h>
#include <math.h>
int f(double x) { errno = 0; double r = fmod(x, 0.0); assert(errno == 0); return r > 2; }
#ifdef TRUTH
int main(void) { return f(1.5); }
#endif
