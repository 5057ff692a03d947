/* A sum that overflows is taken for one that does not.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (y > x): holds
   truth:   the assertion fails where the sum wraps
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int f(int x) {
  int y = x + 1;
  assert(y > x);
  return y;
}
int main(void) { return f(2147483647); }
