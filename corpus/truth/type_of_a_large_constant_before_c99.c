/* Before C99 a large decimal constant is unsigned, and not wider.
   command: check FILE --assertions-only --no-exec --timeout 20 -- -std=gnu89
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -std=gnu89, and the program aborts
*/
#include <assert.h>
int main(void)
{
    assert(sizeof(9223372036854775808) == 16);
    return 0;
}
