/* A string without an end is measured.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
#include <string.h>
struct { char s[3]; char rest[5]; } g = {{'a', 'b', 'c'}, "rest"};
int main(void) {
  unsigned long n = strlen(g.s);
  assert(n == 3);
  return 0;
}
