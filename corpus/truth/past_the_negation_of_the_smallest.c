/* The negation of the smallest number is itself.
   command: gen FILE --no-exec --timeout 10
   never:   y < 0 is true: infeasible
   truth:   -INT_MIN is INT_MIN
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <limits.h>
#include <stdlib.h>
int f(int x) { if (x > 0) return 0; int y = -x; if (y < 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int x = INT_MIN; if (f(x)) abort(); return 0; }
#endif
