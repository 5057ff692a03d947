/* An integer of one byte by its mode.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
typedef int q __attribute__((mode(QI)));
int main(void){ q x = 300; assert(x == 300);
 return 0; }
