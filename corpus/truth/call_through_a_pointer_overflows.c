/* A function behind a pointer overflows.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (r > x): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int next(int x) { return x + 1; }
static int same(int x) { return x; }
static int f(int which, int x) {
  int (*step)(int) = which ? next : same;
  int r = step(x);
  if (which) assert(r > x);
  return r;
}
int main(void) { return f(1, 2147483647); }
