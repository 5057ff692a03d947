/* A switch without a default leaves a variable unset.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (x >= 123456): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int f(int k) {
  int x;
  switch (k) {
    case 1: x = 123456; break;
    case 2: x = 123457; break;
  }
  assert(x >= 123456);
  return x;
}
int main(void) { return f(3); }
