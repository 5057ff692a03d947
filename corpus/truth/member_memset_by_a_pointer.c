/* A pointer to a member has more bytes set behind it than the member has.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8
*/
#include <string.h>
struct person { char name[8]; int age; };
int f(void) {
  struct person p = {{0}, 0};
  char *q = p.name;
  memset(q, 1, 12);
  return p.age;
}
