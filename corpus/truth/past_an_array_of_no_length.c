/* An array of variable length that is negative.
   command: gen FILE --no-exec --timeout 10
   never:   b == 5 is true: infeasible
   truth:   what lies there is changed
   judge:   gcc -w -O0 -fno-stack-protector -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(int n, int i) { int b = 0; int *keep = &b; int a[n]; a[i] = 5; if (b == 5) return 1; return 0; }
#ifdef TRUTH
int main(void) { for (volatile int i = 0; i < 40; i++) if (f(1, i)) abort(); return 0; }
#endif
