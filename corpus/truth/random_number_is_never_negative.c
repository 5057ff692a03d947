/* rand is never negative.
   command: check FILE --assertions-only --timeout 10
   never:   assertion (rand() >= 0): violated
   truth:   C11 7.22.2.1: 0 to RAND_MAX
*/
#include <assert.h>
#include <stdlib.h>
void f(void) { assert(rand() >= 0); }
