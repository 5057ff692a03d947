/* memcpy copies more than fits.
   command: gen FILE --no-exec --timeout 10
   never:   b == 5 is true: infeasible
   truth:   the next variable is changed
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
#include <string.h>
static char a[4] = {1}, b = 1;
static char from[16] = {1, 2, 3, 4, 5};
int f(int n) { b = 0; memcpy(a, from, n); if (b == 5) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f(5)) abort(); return 0; }
#endif
