/* A loop that fills one element too many changes its neighbour.
   command: gen FILE --no-exec --timeout 10
   never:   b == 7 is true: infeasible
   truth:   the ninth element is the next variable
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int a[8] = {1}, b = 1;
int f(int n) { b = 0; for (int i = 0; i < n; i++) a[i] = 7; if (b == 7) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(9)) abort(); return 0; }
#endif
