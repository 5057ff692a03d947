/* A store at an index that is a _Bool: places one byte apart were updated from what was there before the store.
   command: gen FILE --no-exec --timeout 20
   never:   lo[b] == 1234567 is true: infeasible
   truth:   it is true for c = 1234567
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <stdlib.h>
int f(unsigned char a, _Bool b, int c) {
  int o[6] = {5, 1, 4, 2, 3, 6};
  if (a > 3) return 0;
  int *lo = o + a;
  lo[b] = c;
  if (lo[b] == 1234567) return 1;
  return 2;
}
#ifdef TRUTH
int main(void) { if (f(0, 1, 1234567) == 1) abort(); return 0; }
#endif
