/* A function that is called divides by zero.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (c != 5): holds
   truth:   the machine stops inside the call
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int per(int x) { return 100 / x; }
static int f(int c) {
  int r = per(c - 5);
  assert(c != 5);
  return r;
}
int main(void) { return f(5); }
