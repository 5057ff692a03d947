/* A recursive product overflows.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int product(int n) { return n <= 1 ? 1 : n * product(n - 1); }
int main(void) {
  assert(product(17) > 0);
  return 0;
}
