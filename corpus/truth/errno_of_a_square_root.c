/* The root of a negative number sets errno.
   command: gen FILE --no-exec --timeout 5 --function f
   never:   errno is true: infeasible
   truth:   -1 sets it
   judge:   gcc -w -DTRUTH -Wl,--no-as-needed -lm, and the program aborts
*/
#include <errno.h>
#include <math.h>
#include <stdlib.h>
int f(double x) { errno = 0; double r = sqrt(x); if (errno) return -1; return r > 2; }
#ifdef TRUTH
int main(void) { if (f(-1) == -1) abort(); return 0; }
#endif
