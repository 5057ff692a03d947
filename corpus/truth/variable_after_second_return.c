/* A variable has another value when setjmp returns for the second time.
   command: gen FILE --no-exec --timeout 10
   never:   b == 1 is true: infeasible
   truth:   it was assigned between the two returns
   judge:   gcc -w -O0 -DTRUTH, and the program aborts
*/
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf place;
int f(int x) {
  int b = 0;
  if (setjmp(place)) {
    if (b == 1) return 1;
    return 2;
  }
  b = 1;
  if (x) longjmp(place, 1);
  return 3;
}
#ifdef TRUTH
int main(void) { if (f(1) == 1) abort(); return 0; }
#endif
