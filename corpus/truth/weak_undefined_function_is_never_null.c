/* Weak undefined function is never null.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (0): unreachable
   truth:   assertion fails: an undefined weak symbol is null
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
extern void w(void) __attribute__((weak));
int main(void) { if (!w) assert(0); return 0; }
