/* A union holds a number that is no truth value, and is read as one.
   command: check FILE --timeout 20
   never:   assertion (0): unreachable
   truth:   C11 6.2.6.1p5: neither branch need be taken
*/
#include <assert.h>
#include <stdbool.h>
union both { bool b; unsigned char c; };
int f(unsigned char c) {
  union both v;
  v.c = c;
  if (v.b) return 1;
  if (!v.b) return 2;
  assert(0);
  return 3;
}
