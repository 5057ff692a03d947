/* A list for a member that earlier entries were about drops them.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct pair { int a, b; };
struct outer { struct pair p; int c; };
int main(void) {
    struct outer s = { .p.a = 5, .p = { .b = 3 } };
    assert(s.p.a == 5);
    return 0;
}
