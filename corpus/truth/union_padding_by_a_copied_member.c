/* A smaller member is copied from another union: the bytes beside it are open.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (x.number == 7): holds
   truth:   C11 6.2.6.1p7
*/
#include <assert.h>
union u { short part; long number; };
int f(void) { union u x, y; x.number = 0; y.part = 7; x.part = y.part; assert(x.number == 7); return 0; }
