/* An access outside of its array hides the assertion.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (i < 4): holds
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
static int f(int i) {
  int a[4] = {1, 2, 3, 4};
  int r = a[i];
  assert(i < 4);
  return r;
}
int main(void) { return f(5); }
