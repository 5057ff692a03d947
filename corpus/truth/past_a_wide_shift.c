/* A shift by more than the width hides the assertion.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (s < 32): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static unsigned f(int s) {
  unsigned y = 1u << s;
  assert(s < 32);
  return y;
}
int main(void) { return f(40); }
