/* A variable is set on one branch only.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (x == 123456): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int f(int c) {
  int x;
  if (c) x = 123456;
  assert(x == 123456);
  return x;
}
int main(void) { return f(0); }
