/* A store into a member may change the bytes behind it.
   command: gen FILE --no-exec --timeout 10
   never:   b[1] != 0 is true: infeasible
   truth:   C11 6.2.6.1p6: padding takes unspecified values when a value is stored into a member
*/
#include <string.h>
struct s { char c; int i; };
int f(void) { struct s s; memset(&s, 0, sizeof s); s.c = 1; s.i = 2; unsigned char *b = (unsigned char *)&s; if (b[1] != 0) return 1; return 0; }
