/* A float that does not fit its integer hides the assertion.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int f(double d) {
  int i = (int)d;
  assert(d < 1e10);
  return i;
}
int main(void) { return f(1e20); }
