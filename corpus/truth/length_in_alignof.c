/* The operand of _Alignof is not evaluated.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void)
{
    int n = 2;
    int s = _Alignof(int[n++]);
    assert(n == 3);
    return s * 0;
}
