/* An assertion that its first operand decides is reached.
   command: check FILE --assertions-only --timeout 10
   never:   unreachable
   truth:   it is reached and holds
*/
#include <assert.h>
void f(unsigned char a) { assert(a < 300 || a == 7); }
