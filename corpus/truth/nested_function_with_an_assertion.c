/* An assertion in a nested function fails.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void){ int n = 4; void in(int k){ assert(k != n); }
 in(3); in(4); return 0; }
