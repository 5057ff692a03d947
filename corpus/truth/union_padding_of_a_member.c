/* A member of a structure in a union is stored: the bytes between its members are open.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (x.number == 0x0000000200000001): holds
   truth:   C11 6.2.6.1p6: padding takes unspecified values
*/
#include <assert.h>
union u { struct { char a; int b; } s; long number; };
int f(void) { union u x; x.number = 0; x.s.a = 1; x.s.b = 2; assert(x.number == 0x0000000200000001); return 0; }
