/* The same behind a pointer to memory without a declared type.
   command: gen FILE --function f --no-exec --timeout 10
   never:   p->i != 7 is true: infeasible
   truth:   C11 6.2.6.1p7: bytes beside the member that is stored take unspecified values
*/
#include <stdlib.h>
union u { short s; int i; };
int f(void) {
  union u *p = malloc(sizeof *p);
  if (!p) return 0;
  p->i = 0;
  p->s = 7;
  if (p->i != 7) return 1;
  return 2;
}
