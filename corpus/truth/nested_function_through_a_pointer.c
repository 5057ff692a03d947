/* A nested function is called through a pointer and changes a variable of its parent.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
static int call(int (*p)(int)) { return p(3); }
int main(void){ int base = 10; int add(int k){ base += k; return base; } call(add); assert(base == 10);
 return 0; }
