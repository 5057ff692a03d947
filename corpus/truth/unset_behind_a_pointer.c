/* A function sets what its argument points to, or does not.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (x == 123456): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static void get(int *p, int c) { if (c) *p = 123456; }
static int f(int c) {
  int x;
  get(&x, c);
  assert(x == 123456);
  return x;
}
int main(void) { return f(0); }
