/* A pointer walks past the end of its array.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
int main(void) {
  int a[4] = {1, 2, 3, 4}, s = 0;
  int *p = a;
  int n = 0;
  while (n < 6) { s += *p++; n++; }
  assert(n == 4);
  return s;
}
