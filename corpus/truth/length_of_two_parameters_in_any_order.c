/* Lengths of a parameter are evaluated in any order.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int n;
static int next(void) { return ++n; }
static int g(int (*p)[next()][next() + 5]) { return sizeof *p; }
int main(void)
{
    assert(g(0) == 28);
    return 0;
}
