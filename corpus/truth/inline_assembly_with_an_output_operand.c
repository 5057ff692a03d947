/* Inline assembly with an output operand: the prover keeps the old value.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (x==1): holds
   truth:   assertion fails: x is 7
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void) {
  int x = 1;
  __asm__ volatile("movl $7,%0" : "=r"(x));
  assert(x==1);
  return 0;
}
