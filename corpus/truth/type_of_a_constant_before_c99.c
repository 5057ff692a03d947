/* Before C99 a decimal constant may be unsigned.
   command: check FILE --assertions-only --no-exec --timeout 20 -- -m32 -std=gnu89
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -m32 -std=gnu89, and the program aborts
*/
#include <assert.h>
int main(void)
{
    assert(2147483648 > -1);
    return 0;
}
