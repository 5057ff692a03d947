/* Two assertions of one macro use are taken for one property.
   command: check FILE --assertions-only --timeout 20 --no-exec
   never:   assertion (x == x): violated
   truth:   x == x holds; only x != 7 can fail
*/
#include <assert.h>
#define BOTH(a) do { assert(a != 7); assert(a == a); } while (0)
void f(int x) {
  BOTH(x);
}
