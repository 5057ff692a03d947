/* An overflow stands behind an access outside of an array.
   command: check FILE --property no-overflow --timeout 20
   never:   VERDICT: true
   truth:   the sum overflows and traps
   judge:   gcc -w -ftrapv, and the program aborts
*/
#include <assert.h>
int main(void) {
  int a[2] = {0, 0};
  volatile int i = 3;
  int k = i;
  a[0] = a[k];
  int x = 2147483644 + k;
  return x + k;
}
