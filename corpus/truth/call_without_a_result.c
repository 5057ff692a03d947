/* The result of a call is used that returns none.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (c != 1): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int sign(int x) {
  if (x > 0) return 1;
  if (x < 0) return -1;
}
static int f(int c) {
  int r = sign(c - 1);
  assert(c != 1);
  return r;
}
int main(void) { return f(1); }
