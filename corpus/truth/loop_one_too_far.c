/* The last turn of a loop reads behind the array.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (i == 4): unreachable
   truth:   the assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
int main(void) {
  int a[4] = {1, 2, 3, 4}, s = 0, i;
  for (i = 0; i <= 4; i++) s += a[i];
  assert(i == 4);
  return s;
}
