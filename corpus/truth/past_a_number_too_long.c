/* sprintf writes more than fits.
   command: gen FILE --no-exec --timeout 10
   never:   b == 0 is false: infeasible
   truth:   it writes into the next variable
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
#include <stdio.h>
static char a[4] = {1}; static int b = 1;
int f(int n) { b = 0; sprintf(a, "%d", n); if (b == 0) return 0; return 1; }
#ifdef TRUTH
int main(void) { if (f(123456)) abort(); return 0; }
#endif
