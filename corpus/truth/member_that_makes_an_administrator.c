/* A long name makes an administrator.
   command: gen FILE --no-exec --timeout 10
   never:   f: 2 goals: 2 covered
   truth:   a fortified program aborts
   judge:   gcc -w -O2 -D_FORTIFY_SOURCE=2 -DTRUTH, and the program aborts
*/
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
struct person { char name[4]; int admin; };
int f(const char *s) { struct person p; p.admin = 0; strcpy(p.name, s); if (p.admin) return 1; return 0; }
#ifdef TRUTH
int main(void) { return f("abcdef") == 77; }
#endif
