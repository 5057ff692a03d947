/* A list for a row that earlier entries were about drops them.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct pair { int a, b; };
struct outer { struct pair p; int c; };
int main(void) {
    int s[2][2] = { [0][0] = 5, [0] = { [1] = 3 } };
    assert(s[0][0] == 5);
    return 0;
}
