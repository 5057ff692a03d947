/* Lengths of one declarator are evaluated in any order.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int n;
static int next(void) { return ++n; }
int main(void)
{
    int a[next()][next() + 1];
    assert(sizeof a == 12);
    return 0;
}
