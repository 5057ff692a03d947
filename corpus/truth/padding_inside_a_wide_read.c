/* A number is read that begins and ends in members, with bytes between them.
   command: gen FILE --no-exec --timeout 10 -- -fno-strict-aliasing
   never:   n != 0x0000000200000001 is true: infeasible
   truth:   C11 6.2.6.1p6
*/
#include <string.h>
struct s { char a; int b; };
int f(void) { struct s s; memset(&s, 0, sizeof s); s.a = 1; s.b = 2; long n; memcpy(&n, &s, 8); if (n != 0x0000000200000001) return 1; return 0; }
