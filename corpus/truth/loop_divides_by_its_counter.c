/* A loop counts down to a division by zero.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   the machine stops at the division
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
int main(void) {
  int s = 0;
  for (int i = 3; i >= 0; i--) s += 12 / i;
  assert(s == 0);
  return s;
}
