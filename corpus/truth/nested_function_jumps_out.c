/* A nested function jumps to a label of the function around it.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void){ __label__ out; int x = 1; void in(void){ goto out; } in(); return 0; out: assert(x == 0);
 return 0;}
