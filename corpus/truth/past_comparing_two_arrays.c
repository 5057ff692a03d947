/* Comparing pointers into two arrays hides the assertion.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
int a[2], b[2];
int main(void) {
  int order = &a[1] < &b[0];
  assert(order == 5);
  return 0;
}
