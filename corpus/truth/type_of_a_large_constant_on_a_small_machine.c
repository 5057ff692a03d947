/* Where there are no 128 bits a large decimal constant is unsigned.
   command: check FILE --assertions-only --no-exec --timeout 20 -- -m32
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -m32, and the program aborts
*/
#include <assert.h>
int main(void)
{
    assert(9223372036854775808 > -1);
    return 0;
}
