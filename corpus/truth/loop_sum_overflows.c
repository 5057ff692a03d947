/* A sum overflows in a late turn of a loop.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (s >= 0): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int f(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += i;
  assert(s >= 0);
  return s;
}
int main(void) { return f(70000); }
