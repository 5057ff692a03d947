/* A pragma gives two variables one name.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
#pragma redefine_extname alpha beta
extern int alpha;
int beta = 1;
int main(void){ alpha = 2; assert(beta == 1);
 return 0; }
