/* Two functions have one label.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int one(void) __asm__("two");
int two_(void) __asm__("two");
int two_(void){ return 2; }
int main(void){ assert(one() != 2);
 return 0; }
