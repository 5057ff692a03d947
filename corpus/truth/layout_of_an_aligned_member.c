/* An attribute moves a member.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct s { char c; int i __attribute__((aligned(16))); };
int main(void){ assert(sizeof(struct s) == 8);
 return 0; }
