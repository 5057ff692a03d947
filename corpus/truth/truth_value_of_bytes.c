/* Bytes of a structure are set to what is no truth value.
   command: check FILE --timeout 20
   never:   assertion (0): unreachable
   truth:   C11 6.2.6.1p5: neither branch need be taken
*/
#include <assert.h>
#include <stdbool.h>
#include <string.h>
struct state { bool is_on; int level; };
int f(int fill) {
  struct state v;
  memset(&v, fill, sizeof v);
  if (v.is_on) return 1;
  if (!v.is_on) return 2;
  assert(0);
  return 3;
}
