/* Irreducible loop (goto into it): the head is entered through the back edge.
   command: check FILE --function f --timeout 20
   never:   assertion ((i ^ 1234) != 2222): holds
   truth:   assertion fails for x = 2222 ^ 1234; gen: `(i ^ 1234) == 2222 is true: infeasible: the whole function's constraints have no solution`
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(unsigned x) {
  unsigned i = 0;
  if (3 / (x | 1) >= 7) goto m;   /* never */
l:
  i += 1;
m:
  if (i < (x & 4095)) goto l;
  assert((i ^ 1234) != 2222);
  return 0;
}
#ifdef TRUTH
int main(void) { f(2222 ^ 1234); return 0; }
#endif
