/* Switch into a loop (Duff): the same.
   command: check FILE --function f --assertions-only --timeout 20
   never:   assertion ((c ^ 77) != 1000): holds
   truth:   assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int f(unsigned x, unsigned n) {
  unsigned i = 0, c = 0;
  n &= 1023;
  switch (x & 1 ? 5 / (x | 4) : 0) {
  case 3: while (i < n) { i++;
  case 0: case 1: c++; }
  }
  assert((c ^ 77) != 1000);
  return 0;
}
#ifdef TRUTH
int main(void) { for (unsigned x = 0; x < 8; x++) for (unsigned n = 0; n < 1024; n++) f(x, n); return 0; }
#endif
