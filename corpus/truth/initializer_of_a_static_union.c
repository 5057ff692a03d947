/* gcc forgets the first of two members of a union.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
union u { int i; char c; };
static union u x = { .i = 0x11223344, .c = 5 };
int main(void)
{
    assert(x.i == 0x11223305);
    return 0;
}
