/* A loop shifts by its counter until that is too much.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (i <= 32): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static unsigned f(int n) {
  unsigned x = 0;
  int i;
  for (i = 0; i < n; i++) x |= 1u << i;
  assert(i <= 32);
  return x;
}
int main(void) { return f(40); }
