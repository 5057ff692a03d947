/* gcc forgets the first of two members of a union, also where the second has no bytes of it.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
union u { int i; char c[8]; };
int main(void)
{
    union u y = { .c[5] = 3, .i = 1 };
    assert(y.c[5] == 3);
    return 0;
}
