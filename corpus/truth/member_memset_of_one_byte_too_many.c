/* Bytes are set behind the end of a member, so many that the program says how many.
   command: check FILE --timeout 20
   never:   VERDICT: true
   truth:   C11 6.5.6p8: compilers may take the other member to be untouched
*/
#include <string.h>
struct person { char name[8]; int age; };
int f(void) {
  struct person p = {{0}, 0};
  memset(p.name, 1, 9);
  return p.age;
}
