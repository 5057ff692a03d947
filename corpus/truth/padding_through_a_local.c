/* A structure is copied by way of a local, member by member.
   command: gen FILE --no-exec --timeout 10
   never:   b[1] != d[1] is true: infeasible
   truth:   C11 6.2.6.1p6: the bytes between members stay what they were
   judge:   gcc -w -O2 -DTRUTH, and the program aborts
*/
#include <stdlib.h>
#include <string.h>
struct s { char c; int i; };
static struct s g, h;
int f(void) {
  struct s t = h;
  t.i ^= 1;
  g = t;
  unsigned char *b = (unsigned char *)&g, *d = (unsigned char *)&h;
  if (b[1] != d[1]) return 1;
  return 0;
}
#ifdef TRUTH
int main(void) { memset(&h, 1, sizeof h); if (f()) abort(); return 0; }
#endif
