/* Objects without bytes may have one address.
   command: check FILE --function f --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct e { };
static struct e a, b;
static int same(void *p, void *q) { return p == q; }
int f(void)
{
    assert(!same(&a, &b));
    return 0;
}
#ifdef TRUTH
int main(void) { return f(); }
#endif
