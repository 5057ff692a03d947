/* A product of two large numbers.
   command: gen FILE --no-exec --timeout 10
   never:   p < 0 is true: infeasible
   truth:   it wraps to a negative number
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int x, int y) { if (x < 0 || y < 0) return 0; int p = x * y; if (p < 0) return 1; return 0; }
#ifdef TRUTH
int main(void) { volatile int x = 65535; if (f(x, x)) abort(); return 0; }
#endif
