/* A bit-field of no bits begins a new unit.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct s { int a:3; int :0; int b:3; };
int main(void){ assert(sizeof(struct s) == 4);
 return 0; }
