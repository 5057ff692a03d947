/* A sequence of calls in which an allocation of the first one fails.
   command: gen FILE --timeout 5
   never:   (disagreement)
   truth:   allocations are counted from the first call on, in tests as in runs
*/
#include <stdlib.h>
int f(unsigned char a) {
  static unsigned calls = 3;
  int *p = malloc(sizeof *p);
  if (!p) return 1;
  *p = a & 12;
  int result = *p;
  free(p);
  if (calls++ == 4) return result + 2;
  return result;
}
