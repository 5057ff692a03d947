/* Two assertions on one line are taken for one property.
   command: check FILE --assertions-only --timeout 20 --no-exec
   never:   assertion (x == x): violated
   truth:   x == x holds; only x != 7 can fail
*/
#include <assert.h>
void f(int x) {
  assert(x != 7); assert(x == x); }
