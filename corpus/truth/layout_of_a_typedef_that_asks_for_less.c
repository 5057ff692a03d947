/* A typedef may ask for less alignment than its type has.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
typedef int unaligned __attribute__((aligned(1)));
struct s { char c; unaligned v; };
int main(void)
{
    assert(sizeof(struct s) == 8);
    return 0;
}
