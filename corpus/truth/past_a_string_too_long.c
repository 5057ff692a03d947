/* strcpy copies more than fits.
   command: gen FILE --no-exec --timeout 10
   never:   b == 5 is true: infeasible
   truth:   the next variable is changed
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
#include <string.h>
static char a[4] = {1}, b = 1;
int f(char *s) { b = 0; strcpy(a, s); if (b == 5) return 1; return 0; }
#ifdef TRUTH
int main(void) { if (f("1234\5")) abort(); return 0; }
#endif
