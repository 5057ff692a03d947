/* Asm goto: the label is unreachable.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (x==0): unreachable
   truth:   assertion fails: the assembly jumps to the label
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void) {
  int x = 1;
  __asm__ goto("jmp %l0" : : : : out);
  return 0;
out:
  assert(x==0);
  return 0;
}
