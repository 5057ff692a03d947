/* Nested function changes a variable of its parent.
   command: check FILE --assertions-only --timeout 20
   never:   assertion (x==1): holds
   truth:   assertion fails: f sets x to 2
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
int main(void) { int x = 1; void f(void) { x = 2; } f(); assert(x==1); return 0; }
