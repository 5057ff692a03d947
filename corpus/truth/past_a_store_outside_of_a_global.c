/* A store behind an array changes the variable behind it.
   command: gen FILE --no-exec --timeout 10
   never:   b == 5 is true: infeasible
   truth:   the variable lies behind the array
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
static int a[4] = {1}, b = 1;
int f(int i) { b = 0; a[i] = 5; if (b == 5) return 1; return 0; }
#ifdef TRUTH
int main(void) { for (volatile int i = -1; i < 6; i++) if (f(i)) abort(); return 0; }
#endif
