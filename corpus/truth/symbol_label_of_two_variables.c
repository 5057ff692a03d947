/* Two variables have one label.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int x __asm__("shared") = 1;
extern int y __asm__("shared");
int main(void){ y = 5; assert(x == 1);
 return 0; }
