/* An operand of variable length is evaluated.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void)
{
    int n = 2, m[3][2];
    int (*p)[n] = m;
    int s = sizeof(*p++);
    assert(p == m);
    return s * 0;
}
