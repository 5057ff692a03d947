/* What a typedef asks for does not count in a packed structure.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w, and the program aborts
*/
#include <assert.h>
typedef int wide __attribute__((aligned(8)));
struct __attribute__((packed)) s { char c; wide v; };
int main(void)
{
    assert(sizeof(struct s) == 16);
    return 0;
}
