/* Only the first element of an array is set.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
int main(void) {
  int a[3];
  a[0] = 123456;
  assert(a[1] == 123456);
  return 0;
}
