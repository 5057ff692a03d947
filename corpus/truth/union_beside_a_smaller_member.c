/* Bytes of a union beside a smaller member that is stored.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (x.i == 5): holds
   truth:   C11 6.2.6.1p7: they take unspecified values when the member is stored
*/
#include <assert.h>
union u { short s; int i; };
int f(void) { union u x; x.i = 0; x.s = 5; assert(x.i == 5); return 0; }
