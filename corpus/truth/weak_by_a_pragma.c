/* A pragma makes a function weak that nobody defines.
   command: check FILE --assertions-only --timeout 20
   never:   VERDICT: true
   truth:   an assertion fails
   judge:   gcc -w -DTRUTH, and the program aborts
*/
#include <assert.h>
extern int fun(void);
#pragma weak fun
int main(void){ assert(fun != 0);
 return 0; }
