/* A division that nobody asked about ends the run before the assertion.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (x != 0): holds
   truth:   x may be 0: the machine stops at the division
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int f(int x) {
  int y = 10 / x;
  assert(x != 0);
  return y;
}
int main(void) { return f(0); }
