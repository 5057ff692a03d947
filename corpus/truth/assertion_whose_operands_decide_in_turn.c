/* An assertion of three operands, of which the last is never evaluated, is reached.
   command: check FILE --assertions-only --timeout 10
   never:   unreachable
   truth:   it is reached and holds
*/
#include <assert.h>
void f(int a) { assert((a >= 0 && a <= 2147483647) || a < 0 || a == 7); }
