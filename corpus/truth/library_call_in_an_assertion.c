/* An assertion fails that contains a call of the library.
   command: check FILE --no-exec --timeout 10
   never:   library-call *: violated
   truth:   `isdigit` takes every number from 0 to 255; it is the assertion that fails
*/
#include <assert.h>
#include <ctype.h>
int f(int c) { if (c < 0 || c > 255) return 0; assert(!isdigit(c)); return 0; }
