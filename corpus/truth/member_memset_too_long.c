/* Bytes are set behind the end of a member, in the structure around it.
   command: check FILE --timeout 20
   never:   stays inside its object): holds
   truth:   C11 6.5.6p8: compilers may take the other member to be untouched
*/
#include <string.h>
struct name { char first[4]; char last[4]; };
int f(unsigned n) {
  struct name s = {{0}, {0}};
  if (n > 8) return 0;
  memset(s.first, 1, n);
  return s.last[0];
}
