/* A null pointer is used behind a shift by too much.
   command: check FILE --property valid-memsafety --timeout 20
   never:   VERDICT: true
   truth:   the machine stops at the pointer
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
int main(void) {
  volatile int s = 40;
  int k = s;
  unsigned y = 1u << k;
  int *p = k == 40 ? 0 : (int *)&y;
  return *p;
}
