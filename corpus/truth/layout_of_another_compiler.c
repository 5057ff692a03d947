/* Bit-fields are laid out as another compiler does it.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
struct __attribute__((ms_struct)) s { char a:3; int b:4; };
int main(void){ assert(sizeof(struct s) == 4);
 return 0; }
