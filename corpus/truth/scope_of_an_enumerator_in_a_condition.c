/* An if is a block, with which a name in its condition ends.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
enum { A = 1 };
int main(void)
{
    int r = 0;
    if (sizeof(enum { A = 2 }) == 4)
        r = 1;
    assert(A == 2);
    return r;
}
